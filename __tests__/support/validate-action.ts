// Reads texts of an action.yml as a JSON list, and prints for each what GitHub's language service
// finds wrong. A process of its own: the service imports JSON without an import attribute, of which
// jest warns and which Node refuses.
import { registerHooks } from 'node:module'
import { json } from 'node:stream/consumers'

registerHooks({
  load: (url, context, nextLoad) =>
    nextLoad(
      url,
      url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context,
    ),
})
const { validateAction } = await import('@actions/languageservice/validate-action')
const texts = (await json(process.stdin)) as readonly string[]
// The service keeps what it read by the address.
const errors = texts.map((text, index) =>
  validateAction({ uri: `file:///${index}/action.yml`, getText: () => text } as never),
)
console.log(
  JSON.stringify((await Promise.all(errors)).map((list) => list.map(({ message }) => message))),
)
