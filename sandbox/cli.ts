/** `npm run sandbox [-- --port N]`: a messaging service on this machine, until Ctrl-C. */
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { addPage } from './page.ts'
import { startSandbox } from './sandbox.ts'

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } })
const sandbox = await startSandbox({ port: Number(values.port), maxStoredBytes: 2 ** 30, page: addPage })
const { baseUrl, channels, tokens, users, webhookUrl, workspace } = sandbox

const list = (entries: Readonly<Record<string, string>>) =>
  Object.entries(entries)
    .map(([name, value]) => `  ${name.padEnd(18)} ${value}`)
    .join('\n')

console.log(`Page: messages and requests as they arrive
  ${sandbox.origin}/

Base URL
  ${baseUrl}

Tokens
${list(tokens)}

Channels and direct conversations
${list(channels)}

Users
${list(users)}

Incoming webhook (takes text, authorizes nothing)
  ${webhookUrl}

Upload a file:
  curl -H 'Authorization: Bearer ${tokens.all}' \\
    -F file=@examples/reports/coverage.csv -F 'initial_comment=Coverage of today' \\
    -F channels=${channels.general},${channels.direct} \\
    ${baseUrl}/api/files.upload

Ctrl-C ends it.
`)

const names = new Map(workspace.conversations.map(({ id, name }) => [id, name]))
sandbox.events.on('message', ({ channel, text, files }) => {
  const what = [text, ...files.map(({ title, size }) => `${title} (${size} bytes)`)]
  console.log(`${names.get(channel) ?? channel}: ${what.filter((part) => part !== undefined).join(' | ')}`)
})

await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
await sandbox.stop()
