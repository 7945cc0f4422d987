// A short safety net for wildcards, not a scanner. `docs/files.md` lists all of it.
import { type Json, listIn, objectIn, parseObject, textIn } from '../json.ts'
import { guid } from './file-names.ts'

/**
 * `_runner_file_commands` has the command files of all steps, with the tokens that they set;
 * `_github_workflow`, or `/github/workflow` in a container, has the event. See actions/runner,
 * src/Runner.Worker/, FileCommandManager.cs, ExecutionContext.cs, ContainerOperationProvider.cs.
 */
export const credentialFolders =
  '.git .ssh .gnupg .aws .azure .kube .docker .config/gcloud .config/gh _runner_file_commands _github_workflow /github/workflow'

/** File names by the end of a sentence about them. `*` is any text. */
export const credentialFiles = {
  'is an environment file, which usually holds credentials': '.env .env.* *.env .envrc .dev.vars',
  'usually holds passwords':
    '.netrc _netrc netrc .dockercfg .git-credentials git-credentials-*.config .htpasswd .pgpass .my.cnf *.kdbx',
  'usually holds tokens':
    '.npmrc .yarnrc.yml .pypirc .vault-token .boto .s3cfg rclone.conf gha-creds-*.json .credentials .credentials_rsaparams',
  'usually holds credentials of Kubernetes':
    'kubeconfig kubeconfig_* *.kubeconfig gha-kubeconfig-*',
  'is usually a private key':
    'id_rsa id_dsa id_ecdsa id_ed25519 *.ppk *.p12 *.pfx *.jks *.keystore',
  'is a Terraform file, which can hold secrets in plain text': '*.tfstate *.tfstate.* *.tfvars',
  'is a command history, which can hold secrets': '.*_history',
  // `_temp` is RUNNER_TEMP, with the script of each step, without an extension for a custom shell.
  // See actions/runner, src/Runner.Worker/Handlers/ScriptHandler.cs.
  'is the script of a step, with its secrets filled in':
    '_temp/<GUID> _temp/<GUID>.sh _temp/<GUID>.ps1 _temp/<GUID>.cmd _temp/<GUID>.py',
}

/** Environment files without values. */
const exampleFile =
  /\.env[^/]*\.(example|sample|template|schema|dist)$|(^|\/)(example|sample)\.env$/

/** Matches paths in lower case. */
const anyOf = (names: string) =>
  names
    .replace(/[.+]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll(' ', '|')
    .replaceAll('<GUID>', guid)
const backup = String.raw`(?:\.bak|\.old|~)?`
/** What git-annex keeps, symlinks lead to. */
const inFolder = new RegExp(
  `(?:^|/)(?!\\.git/annex/objects/)(?:${anyOf(credentialFolders)})${backup}/`,
)
export const nameForms = Object.entries(credentialFiles).map(
  ([why, names]) => [why, new RegExp(`(?:^|/)(?:${anyOf(names)})${backup}$`)] as const,
)

/**
 * Returns the end of a sentence about a known place for credentials.
 *
 * @param path with `/`, also at the end of a folder, in any case
 */
export function reasonByName(path: string): string | undefined {
  const lower = path.toLowerCase()
  if (inFolder.test(lower)) return 'is where a tool or the runner keeps credentials'
  return exampleFile.test(lower) ? undefined : nameForms.find(([, names]) => names.test(lower))?.[0]
}

/**
 * Returns the end of a sentence about a file that holds credentials.
 *
 * @param start its first 64 KB. JSON is judged only if that is the whole file.
 * @param isCut the file goes on
 */
export function reasonByForm(start: Buffer, isCut = false): string | undefined {
  // Without zero bytes, ASCII in UTF-16 is ASCII.
  const text =
    start
      .toString('latin1')
      .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
      .replaceAll('\0', '') + (isCut ? '\n…' : '')
  const holds = ([, form, section]: LineForm) =>
    section?.test(text) !== false &&
    [...text.matchAll(form)].some(([, value]) => value === undefined || !standIn.test(value))
  return reasonByJson(parseObject(text)) ?? lineForms.find(holds)?.[0] ?? reasonByYaml(text)
}

/** Stands in the place of a credential. */
const standIn =
  /^(?:REDACTED|DATA[+ ]OMITTED|[*x.]*|\$\{[^{}]*\}|\$\w+|\{\{.*\}\}|<.*>|.*EXAMPLEKEY)$/

/** In JSON and YAML, a text with white space is a remark, unless it is a key. */
function isSecret(value: string): boolean {
  return !standIn.test(value) && (!/\s/.test(value) || value.startsWith('-----BEGIN '))
}

const kubernetes = 'is a kubeconfig with credentials'
const amazon = 'holds a secret key of AWS'
const git = 'is a git configuration with a token or a password'

/** Applies if the file has the section, and the captured value is no stand-in. */
type LineForm = readonly [why: string, form: RegExp, section?: RegExp]
const gitSection = /^[ \t]*\[[a-z]+(?: "[^"\n]*")?\]/im

export const lineForms: readonly LineForm[] = [
  [
    'contains a private key',
    /^[ \t]*(?:-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|AGE-SECRET-KEY-|PuTTY-User-Key-File-)/gm,
  ],
  // The last word counts: `AUTHORIZATION: basic ***`.
  [git, /^[ \t]*extraheader[ \t]*=[ \t]*(?:\S+[ \t]+(?![#;\r\n]|$))*(\S+)/gim, gitSection],
  [
    git,
    /^[ \t]*(?:(?:push)?url[ \t]*=|\[url ")[ \t]*https?:\/\/[^\s:@/]*:([^\s@/]+)@/gim,
    gitSection,
  ],
  [
    amazon,
    /^(?:export[ \t]+)?aws_(?:secret_access_key|session_token)[ \t]*=[ \t]*["']?([\w/+][^\s"']*)/gim,
  ],
  // Of a log with the environment. A name or a type in a source is shorter.
  [
    amazon,
    /aws_(?:secret_access_key|session_token)[\]\\"']*[ \t]*[=:>]+[ \t]*[\\"']*((?:\\?\/|[a-z\d+]){40,}=*(?![\w./+(-])|[a-z\d/+]+=*(?=\n…))/gi,
  ],
]

/**
 * The value is in quotes, a placeholder in braces, or what stands before a comment. Without a limit,
 * each `{` would be followed to the end of the line.
 */
const yamlSecrets =
  /[\s{,]["']?(?:token|client-key-data|password)["']?[ \t]*:[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|(\$?\{[^}\n]{0,200}\}+(?=[ \t]*(?:[,#\r\n]|$))|[^\n,}#]*))/g

/** Only the part below `users:` of a kubeconfig counts. */
function reasonByYaml(text: string): string | undefined {
  if (!/^kind:[ \t]*["']?Config["']?[ \t]*(?:#.*)?\r?$/m.test(text)) return undefined
  const users = text.split(/^(?=\w)/m).find((part) => part.startsWith('users:')) ?? ''
  const values = [...users.matchAll(yamlSecrets)].map(
    ([, inDouble, inSingle, plain = '']) => inDouble ?? inSingle ?? plain,
  )
  return values.some((value) => isSecret(value.trim())) ? kubernetes : undefined
}

function reasonByJson(json: Json | undefined): string | undefined {
  const has = (object: Json | undefined, ...names: readonly string[]) =>
    names.some((name) => textIn(object, name))
  const holds = (object: Json | undefined, ...names: readonly string[]) =>
    names.some((name) => isSecret(textIn(object, name) ?? ''))
  if (/^(?:service|external)_account$/.test(textIn(json, 'type') ?? '')) {
    const headers = objectIn(objectIn(json, 'credential_source'), 'headers')
    if (headers || holds(json, 'private_key', 'client_secret'))
      return 'is a service account key of Google Cloud'
  }
  if (
    holds(json, 'clientSecret', 'password') &&
    has(json, 'appId', 'clientId') &&
    has(json, 'tenant', 'tenantId')
  ) {
    return 'is a service principal of Azure'
  }
  const keys = [json, objectIn(json, 'Credentials'), objectIn(json, 'AccessKey')]
  if (keys.some((key) => holds(key, 'SecretAccessKey') && has(key, 'AccessKeyId'))) return amazon
  const users = listIn(json, 'users').map((user) => objectIn(user as Json, 'user'))
  const isKubeconfig =
    textIn(json, 'kind') === 'Config' &&
    users.some((user) => holds(user, 'token', 'client-key-data', 'password'))
  return isKubeconfig ? kubernetes : undefined
}
