// One concept, one word. The words on the left of these lists were replaced by the ones on the right.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** In whole identifiers, wherever they stand. */
const identifiers: readonly (readonly [RegExp, string])[] = [
  [/^(tell|told|said|says)([A-Z].*)?$|.*[a-z]Told.*/, 'report…, log…, describe…'],
  [/^keepSecrets?$/, 'maskSecrets, maskSecret'],
  [/^(readSettings|SettingsError)$/, 'Inputs'],
  [/^Budget$/, 'Deadline'],
  [/^Interrupted$/, 'AbortedError'],
  [/^overdue$/i, 'a signal with a plain name'],
  [/^Attempts$/, 'retry'],
  [/^harmless$/, 'safeToRepeat'],
  [/^patience.*/i, 'maxWait'],
  [/^handedOver$|^handOver$/, 'fullySent'],
  [/^doubtful$|^noTelling$/, 'ambiguous'],
  [/^isPassing$/, 'isTransient'],
  [/^lasting$/, 'permanent'],
  [/^onTheWay$/, 'isNetworkPath'],
  [/^Look(s|ed)?$/, 'FileLookup'],
  [/^lookUntil$|^(proof|settling)Looks$/, 'poll…, confirmDelays, reconcileDelays'],
  [/^HttpAnswer$|^NoAnswer.*/, 'HttpResponse, NoResponseError'],
  [/^barred$|^passedOver$|^passOver$|.*[lL]eftOut.*|^leaveOut.*/, 'skipped'],
  [/^Surroundings$|^Ground$|^Circumstances$/, 'Dependencies, SearchContext, ErrorContext'],
  [/^withoutDoubles$/, 'uniqueBy'],
  [/^proof$/, 'confirm, confirmation'],
  [/^errands?$/i, 'task'],
  [/^most[A-Z].*/, 'max…'],
]

/** Only where they are declared: these are also names of libraries, or English. */
const declarations: readonly (readonly [RegExp, string])[] = [
  [/^once$/, 'memoize'],
  [/^some$/, 'summarizeList'],
  [/^counted$/, 'pluralize'],
  [/^named$/, 'quoteValue'],
  [/^settle$/, 'race'],
  [/^(stopping|ended)$/, 'a signal with a plain name'],
  [/^around$/, 'deps'],
  [/^survey$/, 'SearchContext'],
]

/** In all text, also of comments. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/\bmend(s|ed)?\b/, 'fix'],
  [/\blet(s|ting)? go\b/, 'close'],
  [/\bnobody knows\b/, 'unknown'],
  [/\bone a line\b/, 'one per line'],
  [/\bdoubles\b/, 'duplicates'],
]

const fileNames: readonly (readonly [RegExp, string])[] = [
  [/\b(told|seen)\.ts$/, 'named for what it provides'],
  [/\b(whole-runs|threats)/, 'named for what it tests'],
  [/\banswers\.ts$/, 'responses.ts'],
]

const files = globSync('{src,sandbox,scripts,bench,__tests__}/**/*.{ts,js,cjs}', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file !== '__tests__/repository/vocabulary.test.ts')

test('every file uses the words of the glossary', () => {
  expect(files.length).toBeGreaterThan(100)
  const wrong = files.flatMap(oldWordsIn)
  expect(wrong).toEqual([])
})

function oldWordsIn(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const found = [
    ...match(fileNames, [file]),
    ...match(phrases, [text]),
    ...match(identifiers, wordsOf(text)),
    ...match(declarations, declaredIn(text)),
  ]
  return found.map((line) => `${file}: ${line}`)
}

function match(list: readonly (readonly [RegExp, string])[], texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) =>
    list.flatMap(([old, now]) => (old.test(text) ? [`write ${now} for ${old.exec(text)?.[0]}`] : [])),
  )
}

/** Identifiers, without the words of comments and of strings in single quotes. */
function wordsOf(text: string): readonly string[] {
  const tokens = text.matchAll(/\/\/.*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|([\p{ID_Start}$_][\p{ID_Continue}$]*)/gu)
  return [...new Set(Array.from(tokens, ([, word = '']) => word))]
}

function declaredIn(text: string): readonly string[] {
  const declared = text.matchAll(/\b(?:async|function\*?|const|let|class|interface|type|readonly) (\w+)/g)
  return [...new Set(Array.from(declared, ([, word = '']) => word))]
}
