// Reads a JSON list of action.yml texts, and prints for each the errors of GitHub's language
// service. In another process, because the service imports JSON without an attribute, which Node
// refuses and jest warns of.
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
// The service caches by URI.
const errors = texts.map((text, index) =>
  validateAction({ uri: `file:///${index}/action.yml`, getText: () => text } as never),
)
console.log(
  JSON.stringify((await Promise.all(errors)).map((list) => list.map(({ message }) => message))),
)
