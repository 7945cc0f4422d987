// What is a credential. A file that is one is not sent; a file that mentions one is.

/** What the beginning of a file shows: up to 64 KB, without zero bytes, so that ASCII in UTF-16 is ASCII. */
export interface Beginning {
  readonly text: string
  /** The text without the blank lines and the comments before it. */
  readonly body: string
  /** Pages quote settings, also right after a heading that looks like a comment. */
  readonly isPage: boolean
}

type Form = (beginning: Beginning) => boolean

export interface CredentialRule {
  /** In lower case: `*` is any text without `/`, `?` any character. The name decides, unless there is a form. */
  readonly names?: string
  /** Names to which the rule does not apply. */
  readonly exceptNames?: RegExp
  /** What the content must look like. Without names, a file of any name. */
  readonly form?: Form
  /** The end of a sentence that begins with the path. */
  readonly why: string
}

const textHas =
  (part: RegExp): Form =>
  ({ text }) =>
    part.test(text)
const bodyHas =
  (...parts: readonly RegExp[]): Form =>
  ({ body }) =>
    parts.every((part) => part.test(body))
const json = (...parts: readonly RegExp[]) => bodyHas(/^[{[]/, ...parts)
const yaml = (...parts: readonly RegExp[]) => bodyHas(/^(?:---\s|["']?[\w.-]+["']?\s*:(?:\s|$)|\{)/, ...parts)

const settingsLine = /^(?:\s.*|[#;!].*|\[.*|[^\s=]+\s*=.*|[^\s:]+\s*:.*)?$/

/** Lines such as `key = value`, sections, comments, and nothing else: not a page that quotes such lines. */
const settings =
  (...parts: readonly RegExp[]): Form =>
  ({ body, text }) =>
    // First, because most files begin otherwise, and the parts are searched in all of the text.
    settingsLine.test(/^.{0,1000}/.exec(body)?.[0] ?? '') &&
    parts.every((part) => part.test(text)) &&
    text.split(/\r?\n/).every((line) => settingsLine.test(line))

const notInPages =
  (form: Form): Form =>
  (beginning) =>
    !beginning.isPage && form(beginning)

/** A PEM block of a key or a certificate, what OpenSSL writes before one, and a key at the beginning of a line. */
const pem = bodyHas(
  /^["'`]?(?:-----BEGIN |---- BEGIN |Bag Attributes|Key Attributes|Certificate:|(?:RSA )?Private-Key:|subject=|issuer=)/,
  /(?:^["'`]?|[\n\r]|\\n)(?:-----BEGIN (?:[A-Z0-9 ]{0,40}PRIVATE KEY|OpenVPN Static key)|---- BEGIN SSH2 ENC)/,
)

/** A JSON string that is a key: not a text or a finding that quotes one. */
const keyInJson =
  /"[^"\n]{0,40}(?:key|pem|private|value)[^"\n]{0,40}"\s{0,9}:\s{0,9}"\s{0,9}-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----\s{0,9}\\[nr]/i

export const pages = /\.(md|html?)$/
const sourceCode = /\.(md|html?|[cm]?[jt]sx?|go|py|rb|rs|java|kt|cs|sh)$/
const examples = /\.(example|sample|template|dist|schema|md|html?)$|(^|\/)(example|sample|template)\.env$/

// Stryker disable StringLiteral: names that a test compares with the documentation, and texts for people.
/** Folders of which nothing is sent: the end of their path. */
export const credentialFolders: ReadonlyMap<string, string> = new Map([
  ['.git', 'belongs to git, which keeps tokens there'],
  ['.ssh', 'belongs to SSH, which keeps keys there'],
  ['.gnupg', 'belongs to GnuPG, which keeps keys there'],
  ['.aws', 'belongs to the AWS tools, which keep credentials there'],
  ['.azure', 'belongs to the Azure tools, which keep credentials there'],
  ['.config/gcloud', 'belongs to the Google Cloud tools, which keep credentials there'],
  ['roaming/gcloud', 'belongs to the Google Cloud tools, which keep credentials there'],
  ['.oci', 'belongs to the Oracle Cloud tools, which keep credentials there'],
  ['.aliyun', 'belongs to the Alibaba Cloud tools, which keep credentials there'],
  ['.bluemix', 'belongs to the IBM Cloud tools, which keep credentials there'],
  ['.kube', 'belongs to the Kubernetes tools, which keep credentials there'],
  ['.chef', 'belongs to Chef, which keeps keys there'],
  ['.password-store', 'belongs to pass, which keeps passwords there'],
])

/** Names → why, and what the content must look like. */
function byNames(table: Readonly<Record<string, string | readonly [why: string, form: Form]>>) {
  return Object.entries(table).map(([names, entry]) => {
    return typeof entry === 'string' ? { names, why: entry } : { names, why: entry[0], form: entry[1] }
  })
}

/** Why → what the content of a file of any name must look like. */
function byContent(table: Readonly<Record<string, readonly Form[]>>) {
  return Object.entries(table).flatMap(([why, forms]) => forms.map((form) => ({ form, why })))
}

const browserCookies = 'holds the cookies of a browser that is logged in'

/** The names were compared with the lists of Talisman and gitrob. */
export const credentialRules: readonly CredentialRule[] = [
  // By name
  {
    names: '.env* *.env env.local env.production env.development env.staging env.test .flaskenv .dev.vars',
    exceptNames: examples,
    why: 'is an environment file, where credentials are kept',
  },
  ...byNames({
    '.docker/config.json .dockercfg dockercfg': 'is where Docker keeps registry passwords',
    '.git-credentials git/credentials .gitconfig git-credentials-*.config': 'is where git keeps credentials',
    '.netrc netrc _netrc .netrc.gpg .authinfo .authinfo.gpg': 'is where passwords for hosts are kept',
    '.npmrc .yarnrc .yarnrc.yml .bunfig.toml': 'is where JavaScript tools keep tokens',
    '.pypirc pypoetry/auth.toml': 'is where Python tools keep tokens',
    '.gem/credentials .bundle/config': 'is where Ruby tools keep tokens',
    '.cargo/credentials .cargo/credentials.toml': 'is where Cargo keeps tokens',
    '.composer/auth.json': 'is where Composer keeps tokens',
    '.m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties .sbt/.credentials .ivy2/.credentials':
      'is where Java tools keep passwords',
    'secret_token.rb master.key': 'is where a Rails application keeps its secret',
    'gh/hosts.yml .config/hub': 'is where the GitHub tools keep tokens',
    'gha-creds-*.json': 'is a credentials file of google-github-actions/auth',
    'application_default_credentials.json client_secret.json client_secrets.json client_secret_*.apps.googleusercontent.com.json gcloud/*.db':
      'is a credentials file of Google Cloud',
    '*.publishsettings': 'is a credentials file of Azure',
    '.s3cfg .boto .passwd-s3fs rclone.conf': 'is where storage tools keep credentials',
    'doctl/config.yaml .tugboat .databrickscfg .snowsql/config .pulumi/credentials.json':
      'is where cloud tools keep credentials',
    '.vercel/auth.json .sentryclirc huggingface/token .huggingface/token': 'is where a tool keeps its token',
  }),
  {
    names: '*kubeconfig kubeconfig.* *kubeconfig.yaml *kubeconfig.yml',
    exceptNames: sourceCode,
    why: 'is where Kubernetes tools keep credentials',
  },
  ...byNames({
    'serviceaccount/token serviceaccount/*/token': 'is the token of a Kubernetes service account',
    '.vault-token vault-token .vault_pass .vault_password': 'is a token or a password of Vault',
    '*.tfstate *.tfstate.backup *.tfstate.*.backup': 'is a Terraform state, which holds secrets in plain text',
    '*.tfvars *.tfvars.json': 'is a Terraform variables file, where secrets are kept',
    '.terraformrc terraform.rc credentials.tfrc.json': 'is where Terraform keeps tokens',
    '.pgpass pgpass pgpass.conf .my.cnf .mylogin.cnf robomongo.json': 'is where passwords for databases are kept',
    '.dbeaver-data-sources.xml credentials-config.json': 'is where DBeaver keeps passwords',
    '.htpasswd htpasswd .htdigest proftpdpasswd krb5.keytab *.keytab': 'is where servers keep passwords',
    'etc/shadow etc/gshadow': 'is where the system keeps passwords',
    'sftp.json sftp-config.json .ftpconfig .remote-sync.json': 'is where editors keep passwords for servers',
    'filezilla.xml recentservers.xml sitemanager.xml': 'is where FileZilla keeps passwords',
    'logins.json key3.db key4.db signons.sqlite cookies.sqlite login?data':
      'is where browsers keep passwords and cookies',
    'jenkins.plugins.publish_over_ssh.*.xml': 'is where Jenkins keeps credentials',
    '.purple/accounts.xml .irssi/config .muttrc otr.private_key': 'is where mail and chat programs keep passwords',
    '.*_history': 'is a history of commands, with the secrets typed in them',
    '*.p12 *.pfx *.pkcs12 *.jks *.jceks *.keystore *.keyring *.snk': 'is a key store',
    '*.kdbx *.psafe3 *.agilekeychain *.keychain *.keychain-db *.kwallet': 'is a password store',
    '*.bek': 'is a recovery key of BitLocker',
    '*.ppk': 'is a private key of PuTTY',

    // By name and content
    'credentials.xml': ['is where Jenkins keeps credentials', textHas(/^(?!.*<(?:testsuites?|coverage)\b)/s)],
    'git-credentials': ['is where git keeps credentials', bodyHas(/^https?:\/\/\S*:\S*@/)],
    '*.bks': ['is a key store', ({ text }) => ['\u0001\u0014', '\u0002\u0014'].includes(text.slice(0, 2))],
    '*.kdb': ['is a password store', ({ text }) => text.startsWith('\u0003\u00d9\u00a2\u009a')],
    '*.tpm': ['is a recovery key of BitLocker', textHas(/tpmOwnerData|(?!\s)\p{Cc}/u)],
    'pip.conf pip.ini': ['holds the password of a package index', textHas(/:\/\/[^\s/:@]*:[^\s/@]+@/)],
    'nuget.config': [
      'holds the password of a package source',
      textHas(/"(?:cleartext)?password"\s+value\s*=\s*"[^"]/i),
    ],
    'settings.xml': ['holds the password of a Maven server', textHas(/<password>\s*[^<\s$]/)],
    'hosts.yml hosts.yaml': ['is where the GitHub tools keep tokens', yaml(/^[ \t]*oauth_token:[ \t]*\S/m)],
    'profiles.yml': ['holds the password of a database', yaml(/^[ \t]*(?:password|pass|token):[ \t]*["']?[^\s{"'#]/m)],
    'kaggle.json': ['is an API key of Kaggle', json(/"key"\s*:\s*"[^"]/)],
    'local.settings.json': ['holds the key of an Azure storage account', json(/AccountKey=[^;"\s]/)],
    'azureauth.json': ['is a credentials file of Azure', json(/"clientSecret"\s*:\s*"[^"]/)],
    'storagestate.json .auth/*.json': [browserCookies, json(/"(?:cookies|origins)"\s*:\s*\[/)],
  }),
  ...byContent({
    'contains a private key': [pem, json(keyInJson)],
    'is a private key (JWK)': [json(/"kty"\s*:\s*"/, /"[dk]"\s*:\s*"[\w-]{16}/)],
    'is a private key of age': [bodyHas(/^AGE-(?:SECRET-KEY|PLUGIN-\w{1,40})-1/)],
    'is a private key of minisign or signify': [
      bodyHas(/^untrusted comment:[^\n]*(?:secret key|\r?\n(?:RWRTY0Iy|RWRCS))/),
    ],
    'is a private key of PuTTY': [bodyHas(/^PuTTY-User-Key-File-\d/)],
    'holds a private key of WireGuard': [settings(/^\[Interface\]/im, /^[ \t]*PrivateKey[ \t]*=[ \t]*\S/im)],
    'is a service account key of Google Cloud': [json(/"type"\s*:\s*"service_account"/, /"private_key"\s*:\s*"[^"]/)],
    'holds a refresh token of Google': [
      json(/"refresh_token"\s*:\s*"[^"]/, /"refresh_token"\s*:\s*"1\\?\/|"(?:client_id|token_uri)"\s*:/),
    ],
    'holds the secret of an OAuth client of Google': [
      json(/"(?:installed|web)"\s*:\s*\{/, /"client_secret"\s*:\s*"[^"]/),
    ],
    'is a credentials file of Azure': [
      json(/"clientSecret"\s*:\s*"[^"]/, /"(?:clientId|tenantId|subscriptionId)"\s*:/),
    ],
    'holds a secret key of AWS': [
      notInPages(settings(/^[ \t]*aws_(?:secret_access_key|session_token)[ \t]*=[ \t]*\S/im)),
      bodyHas(/^"?(?:User ?name"?,[^\n]*)?Access key ID"?,\s*"?Secret access key|^AWSAccessKeyId=/i),
    ],
    'holds a password of the AWS console': [bodyHas(/^"?User ?name"?,\s*"?Password"?,[^\n]*(?:sign-in|login)/i)],
    'is a kubeconfig with credentials': [
      notInPages(
        yaml(
          /(?:^|[\s{,])["']?users["']?[ \t]*:/m,
          /(?:^|[\s{,])["']?(?:clusters|contexts|kind["']?[ \t]*:[ \t]*["']?Config\b)/m,
          /(?:^|[\s{,])["']?(?:(?:id-|access-|refresh-)?token|client-(?:key-data|secret)|password)["']?[ \t]*:[ \t]*["']?[^\s"'#]/m,
        ),
      ),
    ],
    'holds passwords of container registries': [
      json(/"auths"\s*:\s*\{/, /"(?:auth|identitytoken|registrytoken|password)"\s*:\s*"[^"]/),
    ],
    'is a git configuration with a token': [
      notInPages(
        settings(
          /^[ \t]*\[/m,
          /^[ \t]*extraheader[ \t]*=[ \t]*\S|^[ \t]*url[ \t]*=[ \t]*https?:\/\/[^\s:@/]*:[^\s@/]+@/im,
        ),
      ),
    ],
    'is where JavaScript tools keep tokens': [
      settings(/^(?:.*:|[ \t]*)_(?:authToken|auth|password)[ \t]*=[ \t]*["']?[^\s$"']/m),
    ],
    'is where Composer keeps tokens': [
      json(/"(?:http-basic|(?:github|gitlab|bitbucket)-oauth|gitlab-token)"\s*:\s*\{\s*"/),
    ],
    [browserCookies]: [bodyHas(/^\{\s*"cookies"\s*:\s*\[\s*\{/, /"origins"\s*:\s*\[/)],
    'holds cookies': [textHas(/^# (?:Netscape )?HTTP Cookie File/i)],
  }),
]
// Stryker restore StringLiteral

/** Names of files that are searched to their end, and what they hold if they hold a private key. */
export const keyFiles = [
  {
    // Some hold something harmless, such as a certificate.
    names:
      /(^|\/)(id_[^/]*|[^/]*(_(rsa|dsa|ecdsa|ed25519)|[-_]key)|[^/]*\.(pem|crt|cer|cert|key|keypair|asc|gpg|pgp|der|p8|pk8|pkcs8|pvk|priv|ovpn|age))$/i,
    text: /BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|BEGIN OpenVPN Static key|AGE-SECRET-KEY-1|PuTTY-User-Key-File-\d/,
  },
  // Findings and reports quote keys, so in JSON only a string that is a key counts.
  { names: /[^/]*(account|credential|key|secret)[^/]*\.json$/i, text: keyInJson },
]
/** More than the longest of these texts. */
export const keyTextOverlap = 300
