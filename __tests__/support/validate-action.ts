// node __tests__/support/validate-action.ts < action.yml: prints what GitHub's language service finds wrong, as a JSON list of texts.
// A process of its own: the service imports JSON without an import attribute, of which jest warns and which Node refuses.
import { registerHooks } from 'node:module'
import { text } from 'node:stream/consumers'
import { TextDocument } from 'vscode-languageserver-textdocument'

registerHooks({
  load: (url, context, nextLoad) =>
    nextLoad(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})
const { validateAction } = await import('@actions/languageservice/validate-action')
const document = TextDocument.create('file:///action.yml', 'yaml', 1, await text(process.stdin))
console.log(JSON.stringify((await validateAction(document)).map(({ message }) => message)))
