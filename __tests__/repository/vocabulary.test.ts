// One concept, one word. The words on the left of these lists were replaced by the ones on the right.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** In whole identifiers, wherever they stand. */
const identifiers: readonly (readonly [RegExp, string])[] = [
  [/^(tell|told|said|says)([A-Z].*)?$|.*[a-z]Told.*/, 'a name that begins with report, log or describe'],
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
  [/^lasting$/, 'isPermanent'],
  [/^onTheWay$/, 'isNetworkPath'],
  [/^Look(s|ed)?$/, 'LookupResult'],
  [/^lookUntil$|^(proof|settling)Looks$/, 'pollFile, confirming, reconciling'],
  [/^HttpAnswer$|^NoAnswer.*/, 'HttpResponse, NoResponseError'],
  [/^barred$|^passedOver$|^passOver$|.*[lL]eftOut.*|^leaveOut.*/, 'skipped'],
  [/^Surroundings$|^Ground$|^Circumstances$/, 'SearchContext, ErrorContext'],
  [/^withoutDoubles$/, 'uniqueBy'],
  [/^proof$/, 'confirming'],
  [/^errands?$/i, 'a name for what it does'],
  [/^most[A-Z].*/, 'a name that begins with max'],
]

/** Only where they are declared: these are also names of libraries, or English. */
const declarations: readonly (readonly [RegExp, string])[] = [
  [/^once$/, 'memoize'],
  [/^some$/, 'list'],
  [/^counted$/, 'formatCount'],
  [/^named$/, 'quoted'],
  [/^settle$/, 'race'],
  [/^(stopping|ended)$/, 'a signal with a plain name'],
  [/^around$/, 'deps'],
  [/^survey$/, 'SearchContext'],
]

/** In the names of tests, which specify what the action does. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\bverdicts?\b/, 'result'],
  [/\b(is|are|be|message|step|run) (red|green)\b/, 'fails, or succeeds'],
  [/\btold\b(?! apart)/, 'reported, or logged'],
  [/\bproo(f|ve)\w*/, 'confirm'],
  [/\b(a|no|every|one) look\b|\blooks end\b|\bmay not look\b/, 'lookup'],
  [/\btaken for missing\b/, 'absent'],
  [/\banswer(s|ed)?\b/, 'response'],
  [/\btickets?\b/, 'upload URL'],
  [/\bstands?\b/, 'is'],
]

/** In all text, also of comments. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/\bmend(s|ed)?\b/, 'fix'],
  [/\blet(s|ting)? go\b/, 'close'],
  [/\bnobody knows\b/, 'unknown'],
  [/\bone a line\b/, 'one per line'],
  [/\bdoubles\b/, 'duplicates'],
]

const files = globSync('{src,sandbox,scripts,bench,__tests__}/**/*.{ts,js,cjs}', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file !== '__tests__/repository/vocabulary.test.ts')

test('what is recommended instead exists', () => {
  const known = new Set(files.flatMap((file) => wordsOf(readFileSync(join(root, file), 'utf8'))))
  const names = [...identifiers, ...declarations].flatMap(([, now]) =>
    now.split(', ').filter((name) => /^\w+$/.test(name)),
  )
  expect(names.filter((name) => !known.has(name))).toEqual([])
})

test('every name of a test uses the words of the glossary', () => {
  const tests = files.filter((file) => /^__tests__\/(unit|action|sandbox)\/.*\.(test|browser)\.ts$/.test(file))
  const named = tests.map((file) => [file, namesIn(readFileSync(join(root, file), 'utf8'))] as const)
  expect(named.flatMap(([, names]) => names).length).toBeGreaterThan(1_000)
  expect(named.flatMap(([file, names]) => match(words, names).map((line) => `${file}: ${line}`))).toEqual([])
})

/** What is given to `test`, `describe`, and functions such as `onPosix`, also after `.each(…)`. */
function namesIn(text: string): readonly string[] {
  const given =
    /^\s*(?:(?:test|describe|on[A-Z]\w+|with[A-Z]\w+)[.\w]*(?:\(.*\))?|[\])}]+\))\(\s*(['"`])((?:(?!\1).)+)\1/gm
  return Array.from(text.matchAll(given), ([, , name = '']) => name)
}

test('every file uses the words of the glossary', () => {
  expect(files.length).toBeGreaterThan(100)
  const wrong = files.flatMap(oldWordsIn)
  expect(wrong).toEqual([])
})

function oldWordsIn(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const found = [
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
