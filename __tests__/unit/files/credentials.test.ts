// Files that are credentials, and files that only look like it: each kind is made here, with keys of this test.
import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, expect, test } from '@jest/globals'
import { credentialFolders, credentialRules } from '../../../src/files/credentials.ts'
import { quoted } from '../../../src/text/text.ts'
import { withLinks } from '../../support/systems.ts'
import { type Entries, reasons, tree } from '../../support/tree.ts'

const secret = () => randomBytes(20).toString('hex')
const lines = (...texts: readonly string[]) => `${texts.join('\n')}\n`
const json = (value: unknown) => JSON.stringify(value, undefined, 2)
/** The same content under several names. */
const each = (names: string, content: string | Buffer): Entries =>
  Object.fromEntries(names.split(' ').map((name) => [name, content]))

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const asPem = (key: KeyObject, type: 'pkcs1' | 'pkcs8' | 'sec1' | 'spki') =>
  key.export({ type, format: 'pem' }).toString()
// In two parts, so that no scanner takes this file for a key.
const block = (kind: string, body = randomBytes(300).toString('base64')) =>
  lines(`-----BEGIN ${kind}-----`, ...(body.match(/.{1,64}/g) ?? []), `-----END ${kind}-----`)
const certificate = block('CERTIFICATE')
const pkcs8 = asPem(rsa.privateKey, 'pkcs8')
const pems: Entries = {
  'PKCS #1': asPem(rsa.privateKey, 'pkcs1'),
  'PKCS #8': pkcs8,
  'PKCS #8, encrypted': rsa.privateKey
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: secret() })
    .toString(),
  'SEC 1': asPem(elliptic.privateKey, 'sec1'),
  'SEC 1 after its parameters': block('EC PARAMETERS', 'BggqhkjOPQMBBw==') + asPem(elliptic.privateKey, 'sec1'),
  OpenSSH: block(`OPENSSH ${'PRIVATE'} KEY`),
  cosign: block(`ENCRYPTED COSIGN ${'PRIVATE'} KEY`),
  'OpenPGP, armored': block(`PGP ${'PRIVATE'} KEY BLOCK`),
  'OpenVPN static': block('OpenVPN Static key V1', secret().repeat(8)),
}
const kubeconfig = lines(
  'apiVersion: v1',
  'clusters:',
  '- cluster: {server: https://k8s.example}',
  '  name: a',
  'kind: Config',
  'users:',
  '- name: a',
  '  user:',
  `    token: ${secret()}`,
)
const kubeconfigs = [
  kubeconfig,
  kubeconfig.replace('token:', 'client-key-data:'),
  kubeconfig.replace('token:', 'password:'),
  kubeconfig.replace('token:', 'id-token:'),
  json({ apiVersion: 'v1', kind: 'Config', users: [{ name: 'a', user: { token: secret() } }] }),
  `---\n${kubeconfig.replace('clusters:', 'contexts:').replace('kind: Config\n', '')}`,
  kubeconfig.replace(/([\w-]+):(?=\s)/g, "'$1'\t:").replace('clusters', 'x'),
  `users: [{name: a, user: {"token":'${secret()}'}}]\nkind: "Config"\n`,
]
const gitConfig = lines(
  '[core]',
  '\tbare = false',
  '[http "https://github.com/"]',
  `\textraheader = AUTHORIZATION: basic ${secret()}`,
)
const serviceAccount = json({ type: 'service_account', project_id: 'p', private_key: pkcs8, client_email: 'a@example' })
const awsProfile = lines('[default]', 'aws_access_key_id = AKIA', `aws_secret_access_key = ${secret()}`)
const jwk = { kty: 'RSA', ...(rsa.privateKey.export({ format: 'jwk' }) as object) }
const auths = json({ auths: { 'ghcr.io': { auth: secret() } } })

/** Nothing of these is sent, because it contains a private key. */
const privateKeys: Entries = {
  'pgp.bin': Buffer.concat([Buffer.from('950398045f00000001', 'hex'), randomBytes(900)]),
  'a.der': rsa.privateKey.export({ type: 'pkcs8', format: 'der' }),
  'b.bin': rsa.privateKey.export({ type: 'pkcs1', format: 'der' }),
  'c.bin': elliptic.privateKey.export({ type: 'sec1', format: 'der' }),
  'd.p8': rsa.privateKey.export({ type: 'pkcs8', format: 'der', cipher: 'aes-256-cbc', passphrase: secret() }),
  id_dsa_2048: lines(`---- BEGIN SSH2 ENCRYPTED ${'PRIVATE'} KEY ----`, 'Comment: "x"'),
  'ta.txt': `#\n# 2048 bit OpenVPN static key\n#\n${pems['OpenVPN static']}`,
  // Where it does not begin the file, only the name leads to it.
  ...each('chain.pem deploy_ed25519 deploy-key', `${'a certificate\n'.repeat(200_000)}${pkcs8}`),
  'border.pem': `${'x'.repeat(1024 * 1024 - 20)}${pems['SEC 1']}`,
  'github.json': json({ app: { github_private_key_data: ` ${pems['SEC 1']}` } }).replace('data": ', 'data" : '),
  ...each('service-account.json github-app.json', json({ app: { id: 1, private_key: pkcs8 } })),
}

/** Nothing of these is sent. A value is the content; of those in `byName`, any content. */
const heldBack: Entries = {
  // Left by actions
  'gha-kubeconfig-93df279e7933b0ae': kubeconfig,
  kubeconfig_1700000000000: kubeconfig,
  [`git-credentials-${crypto.randomUUID()}.config`]: gitConfig,
  ...each('gitconfig checkout.txt', gitConfig),
  'remote.txt': lines('[remote "origin"]', `\turl = https://x-access-token:${secret()}@github.com/octo/app`),
  'remote-2.txt': lines('[remote "origin"]', `\turl = http://me:${secret()}@git.example/octo/app`),
  // Google, AWS, Azure
  ...each('my-project-0123456789ab.json sa.json gcp.json app-firebase-adminsdk-ab1cd-0123456789.json', serviceAccount),
  'short-key.json': json({ type: 'service_account', private_key: secret() }),
  'credentials.json': json({ installed: { client_id: 'a.apps.googleusercontent.com', client_secret: secret() } }),
  'token.json': json({ token: 'a', refresh_token: `1//${secret()}`, client_id: 'b' }),
  'adc.json': json({ client_id: 'a', refresh_token: secret(), type: 'authorized_user' }),
  'oauth.json': json({ refresh_token: `1//${secret()}` }).replaceAll('/', '\\/'),
  ...each('credentials aws_credentials.txt aws.md.txt', awsProfile),
  'commented.txt': `${awsProfile}# of the team\nregion: eu-west-1\noutput : json\n`,
  ...each('rootkey.csv me_accessKeys.csv', lines('\ufeffAccess key ID,Secret access key', `AKIA,${secret()}`)),
  'users.csv': lines('User name,Created,Access key ID,Secret access key', `me,2026-11-22,AKIA,${secret()}`),
  'old-rootkey.csv': lines('AWSAccessKeyId=AKIA', `AWSSecretKey=${secret()}`),
  'new_user_credentials.csv': lines(
    'User name,Password,Access key ID,Secret access key,Console login link',
    `me,,AKIA,${secret()},https://aws.example`,
  ),
  'console.csv': lines('User name,Password,Console sign-in URL', `me,${secret()},https://aws.example`),
  'azureauth.json': json({ clientSecret: secret() }),
  'principal.json': json({ clientId: 'a', clientSecret: secret(), tenantId: 'b' }),
  // Kubernetes, Docker, Helm
  ...Object.fromEntries(kubeconfigs.map((content, index) => [`cluster-${index}.txt`, content])),
  ...each('admin.conf k3s.yaml kube/config kubeconfig-prod my.kubeconfig.yaml', kubeconfig),
  ...each('docker/config.json .dockerconfigjson containers/auth.json helm/registry/config.json', auths),
  // Package managers
  npmrc: lines('registry=https://npm.example', `//npm.example/:_authToken=${secret()}`),
  'npm.txt': lines('registry=https://npm.example', `_auth=${secret()}`),
  'pip.conf': lines('[global]', `index-url = https://me:${secret()}@pypi.example/simple`),
  'nuget.config': `<configuration><add key="ClearTextPassword" value="${secret()}" /></configuration>`,
  'encrypted/nuget.config': `<configuration><add key="Password"\n  value = "${secret()}" /></configuration>`,
  'settings.xml': `<settings><server><password>\n  ${secret()}</password></server></settings>`,
  'auth.json': json({ 'http-basic': { 'repo.example': { username: 'me', password: secret() } } }),
  '.yarnrc.yml': `npmAuthToken: ${secret()}\n`,
  // Keys of tools
  'putty.txt': lines('PuTTY-User-Key-File-3: ssh-ed25519', 'Encryption: none', secret()),
  'keys.txt': lines('', ' # created: 2026-11-22', `# public key: age1${secret()}`, `AGE-SECRET-KEY-1${secret()}`),
  'plugin.txt': `AGE-PLUGIN-YUBIKEY-1${secret()}\n`,
  'minisign.txt': lines('untrusted comment: minisign encrypted secret key', `RWRTY0Iy${secret()}`),
  'minisign-2.txt': lines('untrusted comment: mine', `RWRTY0Iy${secret()}`),
  'wg0.conf': lines('[Interface]', `PrivateKey = ${randomBytes(32).toString('base64')}`, 'Address = 10.0.0.1/24'),
  'jwk.json': json(jwk),
  'jwks.json': json({ keys: [{ kty: 'EC', crv: 'P-256' }, jwk] }),
  'vault.kdb': Buffer.concat([Buffer.from('03d9a29a65fb4bb5', 'hex'), randomBytes(100)]),
  'store.bks': Buffer.concat([Buffer.from('0000000200000014', 'hex'), randomBytes(100)]),
  'owner.tpm': '<?xml version="1.0"?><tpmOwnerData/>',
  // People and tools
  ...each('git-credentials', `https://me:${secret()}@github.com\n`),
  ...each('old/git-credentials', `http://me:${secret()}@git.example\n`),
  'hosts.yml': lines('github.com:', `    oauth_token: ${secret()}`),
  'profiles.yml': lines('app:', '  outputs:', '    dev:', `      password: ${secret()}`),
  'kaggle.json': json({ username: 'me', key: secret() }),
  'local.settings.json': json({ Values: { Storage: `DefaultEndpointsProtocol=https;AccountKey=${secret()}` } }),
  'storageState.json': json({ cookies: [], origins: [{ origin: 'https://a.example' }] }),
  'playwright/.auth/user.json': json({ cookies: [{ name: 'session', value: secret() }] }),
  'state.json': json({ cookies: [{ name: 'session', value: secret() }], origins: [] }),
  ...each(
    'cookies.txt jar.txt',
    lines('# Netscape HTTP Cookie File', '', `.a.example\tTRUE\t/\tTRUE\t0\ts\t${secret()}`),
  ),
  'jar-2.txt': lines('# HTTP Cookie File', '', `.a.example\tTRUE\t/\tTRUE\t0\ts\t${secret()}`),
  'jenkins/credentials.xml': '<com.cloudbees.plugins.credentials.SystemCredentialsProvider/>',
}

const byName = `
gha-creds-0123abcd.json .git/config .aws/credentials x.publishsettings .boto .oci/config kubeconfig kubeconfig.sh.yaml
kubernetes.io/serviceaccount/token serviceaccount/..data/token
terraform.tfstate terraform.tfstate.backup terraform.tfstate.1700000000.backup prod.tfvars secrets.auto.tfvars
terraform.tfvars .vault_pass vault-token .pulumi/credentials.json
.env .env.local .env.production prod.env env.local env.production .envrc .flaskenv .dev.vars prod.env.bak
.npmrc .pypirc pypoetry/auth.toml .netrc netrc .gradle/gradle.properties .sbt/.credentials .ivy2/.credentials
.gem/credentials .cargo/credentials.toml .netrc.bak .npmrc~
a.p12 a.pfx a.jks A.JKS a.keystore a.kdbx a.ppk a.snk
.git-credentials .config/gh/hosts.yml .config/rclone/rclone.conf .my.cnf .pgpass .htpasswd .sentryclirc
.vercel/auth.json .databrickscfg .huggingface/token .bash_history .s3cfg cookies.sqlite krb5.keytab
.config/gcloud/credentials.db gcloud/access_tokens.db client_secret.json .terraform.d/credentials.tfrc.json
.kube/config prod-kubeconfig.yml .env.example.local .azure/accessTokens.json config/master.key`
  .trim()
  .split(/\s+/)
  .concat('Login Data')

const quotedKey = `Put the key, which looks like this, into the settings:\n\n${pkcs8}\nThen restart.\n`
const finding = { rule: 'private-key', file: 'a.pem', match: pkcs8.slice(0, 40) }
const suite =
  '<testsuites><testsuite name="credentials"><system-out>Authorization: ***</system-out></testsuite></testsuites>'

/** All of these are sent. */
const sent: Entries = {
  ...each('coverage/credentials.test.ts.html coverage/lcov-report/kubeconfig.ts.html .env.ts.html', '<html></html>'),
  ...each('credentials.test.ts kubeconfig.test.ts', `const key = \`${pkcs8}\`\n`),
  'credentials.csv': lines('name,kind', 'a,token'),
  ...each('TEST-credentials.xml junit/credentials.xml results/gcloud/junit.xml', suite),
  'vitest/credentials.xml': '<testsuite name="credentials" />',
  ...each('reports/gcloud/results.csv gcloud/coverage.csv', lines('file,lines', 'a.ts,10')),
  ...each('kubeconfig.md kubeconfig.htm', `# Kubeconfig\n\n${kubeconfig}`),
  ...each('src/kubeconfig.go kubeconfig.mjs .env.htm', 'package src\n'),
  ...each('.env.example example.env env.example .env.schema x.env.sample .env.template', 'TOKEN=\n'),
  ...each('secrets-report.json secret-scan.json', json({ findings: [finding, { ...finding, match: pkcs8 }] })),
  ...each('client_secret_rotation_report.json client_secrets_test.json', json({ client_secret: 'rotated', passed: 3 })),
  ...each('accounts.json monkey.json', json({ text: quotedKey })),
  ...each('docs/keys.md pem.md log.txt', quotedKey),
  ...each('aws.md aws.htm', `# AWS\n\nWrite this:\n\n${awsProfile}`),
  'aws.txt': `${awsProfile}Then start the shell again.\n`,
  'job.log': lines('[git]', `hint: extraheader = basic x`, 'hint: url = https://me:x@git.example', 'basic_auth=off'),
  ...each('cert.pem chain.pem', certificate + certificate),
  ...each('public.pem key.pub id_rsa.pub', asPem(rsa.publicKey, 'spki')),
  'public.asc': block('PGP PUBLIC KEY BLOCK'),
  'sum.asc': block('PGP SIGNATURE'),
  'public.gpg': Buffer.from([0x99, 0x01, 0x0d, 0x04, 0x5f, 0x00]),
  'public.der': rsa.publicKey.export({ type: 'spki', format: 'der' }),
  'empty.key': '',
  'x.sig': Buffer.concat([Buffer.from([0xc2, 0xc0, 0x73, 0x04]), randomBytes(100)]),
  'slides.key': Buffer.from('504b0304140000000800', 'hex'),
  'terrain.asc': lines('ncols 3', 'nrows 1', '1 2 3'),
  'genes.tpm': lines('gene\tsample', 'BRCA1\t3.5'),
  'ticks.kdb': Buffer.from('ff01000000', 'hex'),
  'market.bks': lines('price,volume', '3,4'),
  'keyboard-layout.json': json({ keys: [{ key: 'a', code: 1 }] }),
  'token-report.json': json({ tokens: 123, refresh_token: null }),
  'tokens.csv': lines('model,tokens', 'a,3'),
  'git-credentials': lines('# git-credentials', 'Write https://user:password@host into the file.'),
  'hosts.yml': lines('all:', '  hosts: [a.example]'),
  config: lines('[core]', '\tbare = false'),
  'people.yaml': kubeconfig.replace('users:', 'superusers:'),
  'point.json': json({ kty: 'a', d: 'short' }),
  'profiles.yml': lines('app:', '  outputs:', '    dev:', `      password: "{{ env_var('PASSWORD') }}"`),
  'terraform.tfvars.example': 'region = ""\n',
  'plan.json': json({ resource_changes: [] }),
  'auth.json': json({ user: 'test' }),
  'token.json': json({ kind: 'test', token: 'abc' }),
  'settings.xml': '<settings><offline>true</offline></settings>',
  'pip.conf': lines('[global]', 'index-url = https://pypi.example/simple'),
  'nuget.config': '<configuration><packageSources /></configuration>',
  'cookies.txt': lines('Mix butter and sugar.', 'Bake.'),
  'session.csv': lines('id,seconds', '1,2'),
  'master.key.md': '# The master key\n',
  'trace.json': json({ traceEvents: [], log: { entries: [{ cookies: [] }] } }),
  ...each('environment.csv history.csv id_list.csv key.txt keystore.md gcloud.csv config.json .docker/readme.txt', 'x'),
  // A folder that is called like an environment file is searched.
  ...each('.env/report.csv prod.env/report.csv', 'x'),
  'users.csv': lines('user,password', 'me,changed'),
  'junit.xml': suite,
  'numbers.csv': lines('0,1,2', '3,4,5'),
  'jwks.json': json({ keys: [{ kty: 'RSA', n: 'a'.repeat(40), e: 'AQAB' }] }),
}

async function search(files: Entries) {
  await using workspace = await tree(files)
  const { files: found, skipped } = await workspace.find('**', { includeHiddenFiles: true, maxFiles: 1000 })
  return {
    found: found.map((file) => file.path).sort(),
    reasons: new Set(skipped.map(({ reason }) => reason)),
    whys: new Set(skipped.map(({ why }) => quoted(why))),
  }
}

test('no file that is a credential is sent, whatever its name', async () => {
  expect(await search(heldBack)).toMatchObject({ found: [], reasons: new Set(['credentials']) })
  expect(await search(privateKeys)).toMatchObject({ found: [], whys: new Set(['contains a private key']) })
})

const texts = Object.keys(heldBack).filter((name) => typeof heldBack[name] === 'string')
const isJson = (content: string) => /^[{[]\s/.test(content)
const setting = /^([ \t]*[^\s=:]*:?[^\s=:]+) ?= ?(?=\S)/gm
const member = /^([ \t]*[\w-]+): ([^\s[{"].*)$/gm

/** The same as other programs and people write it. */
const spellings: Readonly<Record<string, (content: string, name: string) => string>> = {
  'lines of Windows': (content) => content.replaceAll('\n', '\r\n'),
  'as short as possible': (content, name) => {
    if (isJson(content)) return JSON.stringify(JSON.parse(content))
    if (name.endsWith('.csv')) return content.replaceAll('User name', 'UserName')
    return content.replace(setting, '$1=').replace(member, '$1: "$2"')
  },
  'with more spaces': (content, name) => {
    if (isJson(content)) return content.replaceAll('": ', '" \t: \t')
    if (name.endsWith('.csv')) return content.replace(/[^,\n\ufeff]+(?=,)|(?<=,)[^,\n]+/g, '"$&"').replaceAll(',', ', ')
    return content.replace(setting, '  $1 \t= \t').replace(member, '$1: \t $2')
  },
}

test.each(Object.entries(spellings))('a credential is not sent in another spelling either: %s', async (_, spell) => {
  const spelled = texts.map((name) => [name, spell(String(heldBack[name]), name)])
  expect(await search(Object.fromEntries(spelled))).toMatchObject({ found: [] })
})

/** Their form is enough, whatever they hold. */
const shapes = new Set(['old-rootkey.csv', 'auth.json', 'playwright/.auth/user.json', 'state.json'])
const withoutSecret = (content: string) =>
  content
    .replace(/(": ")[^"\n]*[\da-f]{40}[^"\n]*"/g, '$1"')
    .replace(/^(\s*(?:\S*:)?[\w-]+ ?[=:]).*[\da-f]{40}.*$/gm, '$1')
/** The name is part of the rule, and the content decides. */
const decisive =
  /(^|\/)(git-credentials|hosts.yml|profiles.yml|kaggle.json|local.settings.json|azureauth.json|storageState.json)$|\.auth/

test.each<[how: string, names: readonly string[], change: (content: string) => string]>([
  ['quoted in a text', texts, (content) => `Write this: ${content}`],
  [
    'with a label before each line',
    ['credentials', 'gitconfig', 'wg0.conf', 'hosts.yml', 'profiles.yml'],
    (content) => content.replace(/^/gm, 'Step: '),
  ],
  ['without its secret', texts.filter((name) => !shapes.has(name)), withoutSecret],
])('a credential %s is sent', async (_, names, change) => {
  const changed = names.filter((name) => change(String(heldBack[name])) !== heldBack[name])
  const files = changed.map((name, index) => [
    `${index}/${decisive.test(name) ? name : 'x.txt'}`,
    change(String(heldBack[name])),
  ])
  expect(await search(Object.fromEntries(files))).toMatchObject({ found: files.map(([name]) => name).sort() })
})

test('no file of an unmistakable name is sent, whatever its content', async () => {
  expect(await search(Object.fromEntries(byName.map((name) => [name, 'x'])))).toMatchObject({ found: [] })
})

test('every file that only looks like a credential, or mentions one, is sent', async () => {
  expect(await search(sent)).toMatchObject({ found: Object.keys(sent).sort() })
})

describe('a private key is not sent under any name', () => {
  const names =
    'key key.txt deploy_key.txt tls.key.bak server.pem.1 bundle.txt id_rsa id_rsa.bak ssh_host_ed25519_key app.private-key'
  const forms: Readonly<Record<string, (pem: string) => string | Buffer>> = {
    'as it is': (pem) => pem,
    'with CRLF': (pem) => pem.replaceAll('\n', '\r\n'),
    'as UTF-16LE': (pem) => Buffer.from(`\ufeff${pem}`, 'utf16le'),
    'as UTF-16BE': (pem) => Buffer.from(`\ufeff${pem}`, 'utf16le').swap16(),
    'as UTF-16 without a byte order mark': (pem) => Buffer.from(pem, 'utf16le'),
    'in UTF-8 with a byte order mark': (pem) => `\ufeff${pem}`,
    'on one line': (pem) => pem.replaceAll('\n', '\\n'),
    'on one line, in quotes': (pem) => JSON.stringify(pem),
    'after a certificate': (pem) => certificate + pem,
    'after its text': (pem) => `Private-Key: (2048 bit, 2 primes)\nmodulus:\n    00:c5\n${pem}`,
    'after bag attributes': (pem) => `Bag Attributes\n    localKeyID: 01\nKey Attributes: <No Attributes>\n${pem}`,
  }
  test.each(
    Object.entries(pems).flatMap(([kind, pem]) =>
      Object.entries(forms).map(([form, as]) => [kind, form, as(pem as string)] as const),
    ),
  )('%s, %s', async (_kind, _form, content) => {
    expect(await search(each(names, content))).toMatchObject({ found: [] })
  })
})

test('the documentation names each file and folder, and nothing of these is sent, nor a backup of it', async () => {
  const page = await readFile(new URL('../../../docs/files.md', import.meta.url), 'utf8')
  const section = page.split('\n## Credential files\n')[1] ?? ''
  const namesIn = (text = '') => Array.from(text.matchAll(/`([^`]+)`/g), ([, name = '']) => name).sort()
  const rows = section.split('\n').filter((line) => line.startsWith('| '))
  const documented = namesIn(rows.join('').replace(/the `config` of a repository[^,]*|\(not [^)]*\)/g, ''))
  const namesOf = (hasForm: boolean) =>
    credentialRules
      .filter(({ form }) => (form !== undefined) === hasForm)
      .flatMap(({ names }) => names?.split(' ') ?? [])
  const folders = [...credentialFolders.keys()].map((name) => `${name}/`)
  expect([...namesOf(false), ...folders].sort()).toEqual(documented)
  expect(namesOf(true).sort()).toEqual(namesIn(section.split('**By name and content**')[1]?.split('\n\n')[0]))
  const files = documented.flatMap((name, index) => {
    const at = `${index}/${name.replace('*', 'x').replace('?', ' ').replace(/\/$/, '/x')}`
    return [at, `${at}.BAK`].map((one): [string, string] => [one, 'x'])
  })
  expect(await search(Object.fromEntries(files))).toMatchObject({ found: [], reasons: new Set(['credentials']) })
})

test('the configuration of a bare repository is not sent', async () => {
  const sentToo = { 'app/config': '3', 'mirror.git/HEAD': '2', 'tool/HEAD': '5', 'tool/config': '4' }
  await using workspace = await tree({ 'mirror.git/config': '1', 'mirror.git/objects/': '', ...sentToo })
  expect(await workspace.paths('**')).toEqual(Object.keys(sentToo))
  expect(await workspace.refusal('mirror.git/config')).toContain('configuration of a git repository')
})

withLinks('a link with a harmless name to a credential is not sent', async () => {
  await using workspace = await tree({
    'chain.pem': `${'a certificate\n'.repeat(6000)}${pkcs8}`,
    'notes.txt': '-> chain.pem',
    'page.md': `# Kubeconfig\n\n${kubeconfig}`,
    'sent.txt': '-> page.md',
    '.env': '1',
    'a.txt': '-> .env',
    '.git/config': '2',
    b: '-> .git',
  })
  const found = await workspace.find('*.txt\nb/*')
  expect(reasons(found)).toEqual({ 'notes.txt': 'credentials', 'a.txt': 'credentials', 'b/config': 'credentials' })
})

test('a file with the token in its path is not sent, and no text shows the token', async () => {
  const token = `xoxb-${'1234567890'.repeat(3)}`
  await using workspace = await tree({ [`${token}.csv`]: '1', [`${token}/b.csv`]: '2', 'c.csv': '3' })
  const found = await workspace.find('**/*.csv\nd.csv\n*.xml', { token })
  expect(found.files.map((file) => file.path)).toEqual(['c.csv'])
  expect(found.skipped.map(({ path, why }) => `${path} ${quoted(why)}`)).toEqual([
    '***.csv has the token in its name',
    '***/b.csv has the token in its name',
  ])
  expect(JSON.stringify(found)).not.toContain(token)
})
