/** `npm run sandbox`: a messaging service on this machine, until Ctrl-C. */
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { size } from './format.ts'
import { addPage } from './page.ts'
import { startSandbox } from './sandbox.ts'

const help = `Usage: npm run sandbox [-- --port NUMBER]

Starts a messaging service on this machine, with a page that shows messages and requests.
It runs until Ctrl-C, and then deletes everything. With --port, everything is on that
port; otherwise the API and the uploads each get a free port.`

const { port, help: asked } = readOptions()
if (asked) {
  console.log(help)
  process.exit()
}
// Install the handlers before printing the Ctrl-C hint.
const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
const sandbox = await startSandbox({ port, page: addPage }).catch(
  (error: NodeJS.ErrnoException) => {
    if (error.syscall !== 'listen') throw error
    const why = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${error.message})`
    console.error(`Port ${port} ${why}: choose another, or leave --port out.`)
    process.exit(1)
  },
)
const { baseUrl, channels, tokens, users, workspace } = sandbox

const list = (entries: Readonly<Record<string, string>>) =>
  Object.entries(entries)
    .map(([name, value]) => `  ${name.padEnd(18)} ${value}`)
    .join('\n')

console.log(`Page with messages and requests
  ${sandbox.origin}/

Base URL
  ${baseUrl}

Tokens
${list(tokens)}

Channels and direct conversations
${list(channels)}

Users
${list(users)}

Post a file with the action
  SANDBOX_TOKEN=${tokens.all} npm start -- examples/reports/coverage.csv \\
    --base-url ${baseUrl} --token-env SANDBOX_TOKEN \\
    --channels ${channels.general},${channels.direct} --method external

Post a file with curl
  curl -H 'Authorization: Bearer ${tokens.all}' \\
    -F file=@examples/reports/coverage.csv --form-string 'initial_comment=Coverage of today' \\
    -F channels=${channels.general},${channels.direct} \\
    ${baseUrl}/api/files.upload

Ctrl-C stops the sandbox.
`)

const names = new Map(workspace.conversations.map(({ id, name }) => [id, name]))
sandbox.events.on('message', ({ channel, text, files }) => {
  const what = [text, ...files.map(({ size: bytes, title }) => `${title} (${size(bytes)})`)]
  console.log(
    `${names.get(channel) ?? channel}: ${what.filter((part) => part !== undefined).join(' | ')}`,
  )
})

function readOptions(): { readonly port: number; readonly help: boolean } {
  try {
    const { values } = parseArgs({
      options: { port: { type: 'string', default: '0' }, help: { type: 'boolean' } },
    })
    const port = Number(values.port)
    if (Number.isInteger(port) && port >= 0 && port <= 65_535)
      return { port, help: values.help ?? false }
    throw new Error(`--port ${values.port} is not a port. Use a number from 1 to 65535.`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    console.error(help)
    process.exit(1)
  }
}

await stopped
await sandbox.stop()
