import { words } from '../text/text.ts'
import {
  type CredentialRule,
  credentialFolders,
  credentialRules,
  keyFiles,
  keyTextOverlap,
  pages,
} from './credentials.ts'
import { errorCode } from './disk.ts'
import type { NotSent } from './files.ts'

const escaped = (name: string) => name.replace(/[.+^${}()|[\]\\]/g, '\\$&')
const endOfPath = (names: readonly string[]) =>
  new RegExp(
    `(?:^|/)(?:${names.map((name) => escaped(name).replaceAll('*', '[^/]*').replaceAll('?', '.')).join('|')})$`,
  )

const folderNames = new RegExp(`(?:^|/)(${[...credentialFolders.keys()].map(escaped).join('|')})/`)
const ruleNames = credentialRules.flatMap((rule) => (rule.names?.split(' ') ?? []).map((name) => ({ name, rule })))
/** One expression with all names would take 2 ms to compile, so most are looked up. */
const rulesByName = Map.groupBy(ruleNames, ({ name }) => name)
const wildcards = ruleNames.filter(({ name }) => /[*?]/.test(name))
const anyWildcard = endOfPath(wildcards.map(({ name }) => name))
const rulesForAnyName = credentialRules.filter(({ names }) => names === undefined)
const backup = /(?:\.(?:bak|backup|old|orig|save)|~)$/

/** @param why the end of a sentence that begins with the path */
export function credential(why: string): NotSent {
  return { reason: 'credentials', why: words(why) }
}

/**
 * Why a path is a known place for credentials, if it is one.
 *
 * @param path with `/`, relative to the workspace if it is below it; a folder ends in `/`. Case does not matter.
 */
export function whyCredentials(path: string): NotSent | undefined {
  return credentialSearch([path]).byName
}

/** The rules that apply to a name, also to that of its backup. */
function rulesFor(path: string): readonly CredentialRule[] {
  const lower = path.toLowerCase()
  return (backup.test(lower) ? [lower, lower.replace(backup, '')] : [lower]).flatMap(rulesForName)
}

function rulesForName(path: string): readonly CredentialRule[] {
  // No name has more than three parts, and a path can have thousands.
  const parts = path.split('/').slice(-3)
  const literal = parts.flatMap((_, at) => rulesByName.get(parts.slice(at).join('/')) ?? [])
  const matching = anyWildcard.test(path) ? wildcards.filter(({ name }) => endOfPath([name]).test(path)) : []
  return [...literal, ...matching].map(({ rule }) => rule).filter(({ exceptNames }) => !exceptNames?.test(path))
}

/** Bytes. A credential is small, and most of them are in a file of their own. */
const maxOpened = 64 * 1024

/**
 * Decides whether one file is a credential: by its name, then by its bytes from the first chunk on.
 *
 * @param paths the ways to write its path, with `/`
 */
export function credentialSearch(paths: readonly string[]) {
  const rules = paths.flatMap(rulesFor)
  const folders = paths.map((path) => folderNames.exec(path.toLowerCase())?.[1] ?? '')
  const inFolder = folders.map((folder) => credentialFolders.get(folder)).find(Boolean)
  const why = inFolder ?? rules.find(({ form }) => form === undefined)?.why
  return {
    byName: why === undefined ? undefined : credential(why),
    /** @param size of the file, in bytes */
    inContent: (size: number) => {
      const isSmall = size <= maxOpened
      return contentSearch(paths, size, isSmall ? [...rules, ...rulesForAnyName] : rules)
    },
  }
}

function contentSearch(paths: readonly string[], size: number, rules: readonly CredentialRule[]) {
  const isSmall = size <= maxOpened
  const keyText = keyFiles.find(({ names }) => paths.some((path) => names.test(path)))?.text
  const whyByForm = (bytes: Buffer) => {
    if ((isSmall || keyText) && isOpenPgpKey(bytes)) return 'contains a private key'
    const why = isSmall ? whyBinary(bytes) : undefined
    if (why !== undefined) return why
    const text = asciiIn(bytes.subarray(0, maxOpened)).replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    // Not replaced by nothing, which would copy the text.
    const body = text.slice(/(?:\s*[#;][^\n]*\n)*\s*/.exec(text)?.[0].length)
    const beginning = { text, body, isPage: paths.some((path) => pages.test(path)) }
    return rules.find(({ form }) => form?.(beginning))?.why
  }
  const maxSearched = rules.length > 0 ? maxOpened : 0
  /** The end of the last chunk, in which a text can begin. Undefined before the first one. */
  let end: string | undefined
  return {
    /** How many bytes at the beginning of the file are to be searched. */
    length: keyText ? size : Math.min(size, maxSearched),
    /** The next chunk, the first of at least 64 KB or the whole file. Returns why the file is a credential, if it is one. */
    push: (chunk: Uint8Array): string | undefined => {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      const why = end === undefined ? whyByForm(bytes) : undefined
      const ascii = (end ?? '') + (keyText ? asciiIn(bytes) : '')
      end = ascii.slice(-keyTextOverlap)
      return why ?? (keyText?.test(ascii) ? 'contains a private key' : undefined)
    },
  }
}

/** Without its zero bytes, ASCII in UTF-16 is ASCII. */
function asciiIn(bytes: Buffer): string {
  const text = bytes.toString('latin1')
  return bytes.includes(0) ? text.replaceAll('\0', '') : text
}

/** How key stores of Java, databases of KeePass and strong-name keys of .NET begin. */
const keyStores = ['feedfeed', 'cececece', '03d9a29a67fb4bb5', '070200000024000052534132'].map((hex) =>
  Buffer.from(hex, 'hex'),
)

/** Algorithms of OpenPGP keys (RFC 9580, 9.1). */
const keyAlgorithms = new Set([1, 2, 3, 16, 17, 18, 19, 22, 25, 26, 27, 28])

/** The first packet of an exported secret key is a Secret-Key packet, tag 5 (RFC 9580, 4.2 and 5.5.3). */
function isOpenPgpKey(bytes: Buffer): boolean {
  const [header = 0, length = 0] = bytes
  const isNewFormat = header === 0xc5
  if (!isNewFormat && (header & 0xfc) !== 0x94) return false
  const start = 1 + (isNewFormat ? lengthBytes(length) : 2 ** (header & 3))
  const version = bytes[start] ?? 0
  // After the version come four bytes of time and, in version 3, two of validity.
  const algorithm = bytes[start + (version === 3 ? 7 : 5)]
  return version >= 3 && version <= 6 && (algorithm === undefined || keyAlgorithms.has(algorithm))
}

/** How many bytes the length of a packet takes (RFC 9580, 4.2.1). Only packets of data have a partial length. */
function lengthBytes(first: number): number {
  if (first < 192) return 1
  if (first < 224) return 2
  return first === 255 ? 5 : Number.NaN
}

/** A key store, or a DER sequence as long as the file that is PKCS #12 or that OpenSSL reads as a key. */
function whyBinary(bytes: Buffer): string | undefined {
  if (keyStores.some((start) => bytes.subarray(0, start.length).equals(start))) return 'is a key store'
  const [tag, first = 0] = bytes
  const sequence = 0x30
  // The length itself, or from 0x81 on how many bytes of it follow.
  const start = Math.max(2, first - 0x7e)
  const length = start === 2 ? first : Number.parseInt(bytes.toString('hex', 2, start), 16)
  if (tag !== sequence || start + length !== bytes.length) return undefined
  if (bytes.subarray(start, start + 4).equals(Buffer.from([0x02, 0x01, 0x03, sequence]))) return 'is a key store'
  const { createPrivateKey } = process.getBuiltinModule('node:crypto')
  const isKey = (['pkcs8', 'pkcs1', 'sec1'] as const).some((type) => {
    try {
      createPrivateKey({ key: bytes, format: 'der', type })
      return true
    } catch (error) {
      return errorCode(error) === 'ERR_MISSING_PASSPHRASE'
    }
  })
  return isKey ? 'contains a private key' : undefined
}
