import type { FileHandle } from 'node:fs/promises'
import { errorCode } from './disk.ts'

// Stryker disable StringLiteral: names that a test compares with the documentation, and texts for people.
/** Folders of which nothing is sent. The text ends a sentence that begins with the path. */
export const credentialFolders: ReadonlyMap<string, string> = new Map([
  ['.git', 'belongs to git, which keeps tokens there'],
  ['.ssh', 'belongs to SSH, which keeps keys there'],
  ['.gnupg', 'belongs to GnuPG, which keeps keys there'],
  ['.aws', 'belongs to the AWS tools, which keep credentials there'],
  ['.azure', 'belongs to the Azure tools, which keep credentials there'],
  ['gcloud', 'belongs to the Google Cloud tools, which keep credentials there'],
  ['.oci', 'belongs to the Oracle Cloud tools, which keep credentials there'],
  ['.aliyun', 'belongs to the Alibaba Cloud tools, which keep credentials there'],
  ['.bluemix', 'belongs to the IBM Cloud tools, which keep credentials there'],
  ['.kube', 'belongs to the Kubernetes tools, which keep credentials there'],
  ['.chef', 'belongs to Chef, which keeps keys there'],
  ['.password-store', 'belongs to pass, which keeps passwords there'],
])

/**
 * File names in lower case: a name, a name with one `*`, or the end of a path. Compared with the lists of Talisman and
 * gitrob.
 */
export const credentialFiles: readonly (readonly [names: string, why: string])[] = [
  ['.env* *.env', 'is an environment file, where credentials are kept'],
  ['.docker/config.json .dockercfg dockercfg', 'is where Docker keeps registry passwords'],
  ['.git-credentials git-credentials git/credentials .gitconfig', 'is where git keeps credentials'],
  ['.netrc netrc _netrc .netrc.gpg .authinfo .authinfo.gpg', 'is where passwords for hosts are kept'],
  ['.npmrc .yarnrc .yarnrc.yml .bunfig.toml', 'is where JavaScript tools keep tokens'],
  ['.pypirc', 'is where Python tools keep tokens'],
  ['.gem/credentials .bundle/config', 'is where Ruby tools keep tokens'],
  ['.cargo/credentials .cargo/credentials.toml', 'is where Cargo keeps tokens'],
  ['.composer/auth.json', 'is where Composer keeps tokens'],
  ['.m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties', 'is where Java tools keep passwords'],
  ['secret_token.rb master.key', 'is where a Rails application keeps its secret'],
  ['gh/hosts.yml .config/hub', 'is where the GitHub tools keep tokens'],
  ['gha-creds-*.json', 'is a credentials file of google-github-actions/auth'],
  ['application_default_credentials.json client_secret*.json', 'is a credentials file of Google Cloud'],
  ['*.publishsettings', 'is a credentials file of Azure'],
  ['.s3cfg .boto .passwd-s3fs rclone.conf', 'is where storage tools keep credentials'],
  ['doctl/config.yaml .tugboat .databrickscfg .snowsql/config', 'is where cloud tools keep credentials'],
  ['*kubeconfig kubeconfig.* *kubeconfig.yaml *kubeconfig.yml', 'is where Kubernetes tools keep credentials'],
  ['.vault-token', 'is a token of Vault'],
  ['*.tfstate *.tfstate.backup', 'is a Terraform state, which holds secrets in plain text'],
  ['terraform.tfvars terraform.tfvars.json', 'is a Terraform variables file, where secrets are kept'],
  ['.terraformrc terraform.rc credentials.tfrc.json', 'is where Terraform keeps tokens'],
  ['.pgpass pgpass pgpass.conf .my.cnf .mylogin.cnf robomongo.json', 'is where passwords for databases are kept'],
  ['.dbeaver-data-sources.xml credentials-config.json', 'is where DBeaver keeps passwords'],
  ['.htpasswd htpasswd .htdigest proftpdpasswd', 'is where servers keep passwords'],
  ['etc/shadow etc/gshadow', 'is where the system keeps passwords'],
  ['sftp.json sftp-config.json .ftpconfig .remote-sync.json', 'is where editors keep passwords for servers'],
  ['filezilla.xml recentservers.xml sitemanager.xml', 'is where FileZilla keeps passwords'],
  ['logins.json key3.db key4.db signons.sqlite', 'is where browsers keep passwords'],
  ['credentials.xml jenkins.plugins.publish_over_ssh.*.xml', 'is where Jenkins keeps credentials'],
  ['.purple/accounts.xml .irssi/config .muttrc otr.private_key', 'is where mail and chat programs keep passwords'],
  ['.*_history', 'is a history of commands, with the secrets typed in them'],
  ['*.p12 *.pfx *.pkcs12 *.jks *.jceks *.bks *.keystore *.keyring', 'is a key store'],
  ['*.kdb *.kdbx *.psafe3 *.agilekeychain *.keychain *.keychain-db *.kwallet', 'is a password store'],
  ['*.bek *.tpm', 'is a recovery key of BitLocker'],
  ['*.ppk', 'is a private key of PuTTY'],
]
// Stryker restore StringLiteral

const credentialRules = credentialFiles.flatMap(([names, why]) =>
  names.split(' ').map((name) => {
    const [start = '', end] = name.includes('/') ? ['', `/${name}`] : name.split('*')
    return { start, end, why }
  }),
)

const withoutSecrets = /^\.env.*\.(example|sample|template|dist)$/

/**
 * Why a path is a known place for credentials, as the end of a sentence that begins with the path.
 *
 * @param path with `/`, relative to the workspace if it is below it; a folder ends in `/`. Case does not matter.
 */
export function whyCredentials(path: string): string | undefined {
  const lower = `/${path.toLowerCase()}`
  const [name = '', ...folders] = lower.split('/').reverse()
  for (const folder of folders) {
    const why = credentialFolders.get(folder)
    if (why !== undefined) return why
  }
  if (name === '' || withoutSecrets.test(name)) return undefined
  const rule = credentialRules.find(({ end, start }) =>
    end === undefined ? name === start : name.startsWith(start) && lower.endsWith(end),
  )
  return rule?.why
}

const keyNames =
  /(^|\/)(id_[^/]*|[^/]*(_(rsa|dsa|ecdsa|ed25519)|[-_]key)|[^/]*\.(pem|crt|cer|cert|key|keypair|asc|gpg|pgp|der|p8|pk8|pkcs8|pvk|priv|ovpn|age)|[^/]*(account|credential|key|secret)[^/]*\.json)$/i

/** A file of this name holds a private key or something harmless, such as a certificate: only the content shows which. */
export function mayHoldPrivateKey(path: string): boolean {
  return keyNames.test(path)
}

const keyText = /BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|AGE-SECRET-KEY-1/
/** More than the longest text that `keyText` matches. */
const overlap = 80
const chunkBytes = 1024 * 1024
/** Binary keys are the whole file, and small. */
const maxBinaryKeyBytes = 64 * 1024

/** Whether an open file is or contains a private key: PEM, OpenSSH, SSH2, OpenPGP, age or DER, also in UTF-16. */
export async function holdsPrivateKey(
  handle: Pick<FileHandle, 'read'>,
  size: number,
  checkpoint: () => Promise<void> | undefined,
): Promise<boolean> {
  const buffer = Buffer.alloc(Math.min(chunkBytes, size))
  let end = ''
  for (let position = 0; position < size; ) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
    if (bytesRead === 0) break
    const chunk = buffer.subarray(0, bytesRead)
    if (position === 0 && (isOpenPgpKey(chunk) || (size <= maxBinaryKeyBytes && (await isDerKey(chunk))))) return true
    // Without its zero bytes, ASCII in UTF-16 is ASCII.
    const ascii = end + chunk.toString('latin1').replaceAll('\0', '')
    if (keyText.test(ascii)) return true
    end = ascii.slice(-overlap)
    position += bytesRead
    await checkpoint()
  }
  return false
}

/** The first packet of an exported secret key is a Secret-Key packet, tag 5 (RFC 9580, 4.2 and 5.5.3). */
function isOpenPgpKey(bytes: Buffer): boolean {
  const [header = 0, length = 0] = bytes
  const isNewFormat = header === 0xc5
  if (!isNewFormat && (header & 0xfc) !== 0x94) return false
  const lengthBytes = isNewFormat ? (length < 192 ? 1 : length < 224 ? 2 : 5) : 2 ** (header & 3)
  const version = bytes[1 + lengthBytes] ?? 0
  return version >= 3 && version <= 6
}

async function isDerKey(bytes: Buffer): Promise<boolean> {
  const sequence = 0x30
  if (bytes[0] !== sequence) return false
  const { createPrivateKey } = await import('node:crypto')
  return (['pkcs8', 'pkcs1', 'sec1'] as const).some((type) => {
    try {
      createPrivateKey({ key: bytes, format: 'der', type })
      return true
    } catch (error) {
      return errorCode(error) === 'ERR_MISSING_PASSPHRASE'
    }
  })
}
