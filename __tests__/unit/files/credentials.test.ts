// Files that are credentials, and files that only look like it: each kind is made here, with keys of this test.
import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { reasons, tree } from '../../support/tree.ts'

type Content = string | Buffer
type Files = Readonly<Record<string, Content>>

const secret = () => randomBytes(20).toString('hex')
const lines = (...texts: readonly string[]) => `${texts.join('\n')}\n`
const json = (value: unknown) => JSON.stringify(value, undefined, 2)
/** The same content under several names. */
const each = (names: string, content: Content): Files =>
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
const pems: Files = {
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
  json({ apiVersion: 'v1', kind: 'Config', users: [{ name: 'a', user: { token: secret() } }] }),
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

/** Nothing of these is sent. A value is the content; of those in `byName`, any content. */
const heldBack: Files = {
  // Left by actions
  'gha-kubeconfig-93df279e7933b0ae': kubeconfig,
  kubeconfig_1700000000000: kubeconfig,
  [`git-credentials-${crypto.randomUUID()}.config`]: gitConfig,
  ...each('gitconfig checkout.txt', gitConfig),
  'remote.txt': lines('[remote "origin"]', `\turl = https://x-access-token:${secret()}@github.com/octo/app`),
  // Google, AWS, Azure
  ...each('my-project-0123456789ab.json sa.json gcp.json app-firebase-adminsdk-ab1cd-0123456789.json', serviceAccount),
  'credentials.json': json({ installed: { client_id: 'a.apps.googleusercontent.com', client_secret: secret() } }),
  'token.json': json({ token: 'a', refresh_token: `1//${secret()}`, client_id: 'b' }),
  'adc.json': json({ client_id: 'a', refresh_token: secret(), type: 'authorized_user' }),
  ...each('credentials aws_credentials.txt', awsProfile),
  ...each('rootkey.csv me_accessKeys.csv', lines('\ufeffAccess key ID,Secret access key', `AKIA,${secret()}`)),
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
  'pip.conf': lines('[global]', `index-url = https://me:${secret()}@pypi.example/simple`),
  'nuget.config': `<configuration><add key="ClearTextPassword" value="${secret()}" /></configuration>`,
  'settings.xml': `<settings><server><password>${secret()}</password></server></settings>`,
  'auth.json': json({ 'http-basic': { 'repo.example': { username: 'me', password: secret() } } }),
  '.yarnrc.yml': `npmAuthToken: ${secret()}\n`,
  // Keys that are no PEM
  'a.der': rsa.privateKey.export({ type: 'pkcs8', format: 'der' }),
  'b.bin': rsa.privateKey.export({ type: 'pkcs1', format: 'der' }),
  'c.bin': elliptic.privateKey.export({ type: 'sec1', format: 'der' }),
  'putty.txt': lines('PuTTY-User-Key-File-3: ssh-ed25519', 'Encryption: none', secret()),
  'pgp.bin': Buffer.concat([Buffer.from([0x95, 0x03, 0x98, 0x04, 0x5f, 0, 0, 0, 0x01]), randomBytes(900)]),
  'keys.txt': lines('# created: 2026-11-22T10:00:00Z', `# public key: age1${secret()}`, `AGE-SECRET-KEY-1${secret()}`),
  'ta.txt': `#\n# 2048 bit OpenVPN static key\n#\n${pems['OpenVPN static']}`,
  'minisign.txt': lines('untrusted comment: minisign encrypted secret key', `RWRTY0Iy${secret()}`),
  'minisign-2.txt': lines('untrusted comment: mine', `RWRTY0Iy${secret()}`),
  'wg0.conf': lines('[Interface]', `PrivateKey = ${randomBytes(32).toString('base64')}`, 'Address = 10.0.0.1/24'),
  'jwk.json': json(jwk),
  'jwks.json': json({ keys: [{ kty: 'EC', crv: 'P-256' }, jwk] }),
  'github-app.json': json({ app: { id: 1, private_key: pkcs8 } }),
  'store.bin': Buffer.concat([Buffer.from('feedfeed00000002', 'hex'), randomBytes(100)]),
  'store.bks': Buffer.concat([Buffer.from('0000000200000014', 'hex'), randomBytes(100)]),
  'vault.kdb': Buffer.concat([Buffer.from('03d9a29a65fb4bb5', 'hex'), randomBytes(100)]),
  'owner.tpm': '<?xml version="1.0"?><tpmOwnerData/>',
  'p12.bin': Buffer.concat([Buffer.from('3082006802010330', 'hex'), randomBytes(100)]),
  // People and tools
  'git-credentials': `https://me:${secret()}@github.com\n`,
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
  'jenkins/credentials.xml': '<com.cloudbees.plugins.credentials.SystemCredentialsProvider/>',
}

const byName = `
gha-creds-0123abcd.json .git/config .aws/credentials x.publishsettings .boto .oci/config kubeconfig
kubernetes.io/serviceaccount/token serviceaccount/..data/token
terraform.tfstate terraform.tfstate.backup terraform.tfstate.1700000000.backup prod.tfvars secrets.auto.tfvars
terraform.tfvars .vault_pass vault-token .pulumi/credentials.json
.env .env.local .env.production prod.env env.local env.production .envrc .flaskenv .dev.vars prod.env.bak
.npmrc .pypirc pypoetry/auth.toml .netrc netrc .gradle/gradle.properties .sbt/.credentials .ivy2/.credentials
.gem/credentials .cargo/credentials.toml .netrc.bak .npmrc~
a.p12 a.pfx a.jks a.keystore a.kdbx a.ppk a.snk
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
const sent: Files = {
  ...each('coverage/credentials.test.ts.html coverage/lcov-report/kubeconfig.ts.html .env.ts.html', '<html></html>'),
  ...each('credentials.test.ts kubeconfig.test.ts', `const key = \`${pkcs8}\`\n`),
  'credentials.csv': lines('name,kind', 'a,token'),
  ...each('TEST-credentials.xml junit/credentials.xml results/gcloud/junit.xml', suite),
  ...each('reports/gcloud/results.csv gcloud/coverage.csv', lines('file,lines', 'a.ts,10')),
  'kubeconfig.md': `# Kubeconfig\n\n${kubeconfig}`,
  'src/kubeconfig.go': 'package src\n',
  ...each('.env.example example.env env.example .env.schema x.env.sample', 'TOKEN=\n'),
  ...each('secrets-report.json secret-scan.json', json({ findings: [finding, { ...finding, match: pkcs8 }] })),
  ...each('client_secret_rotation_report.json client_secrets_test.json', json({ client_secret: 'rotated', passed: 3 })),
  ...each('accounts.json monkey.json', json({ text: quotedKey })),
  ...each('docs/keys.md pem.md log.txt', quotedKey),
  'aws.md': `# AWS\n\nWrite this:\n\n${awsProfile}`,
  ...each('cert.pem chain.pem', certificate + certificate),
  ...each('public.pem key.pub id_rsa.pub', asPem(rsa.publicKey, 'spki')),
  'public.asc': block('PGP PUBLIC KEY BLOCK'),
  'sum.asc': block('PGP SIGNATURE'),
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
  ...each('environment.csv history.csv key.txt keystore.md gcloud.csv', 'x'),
  'users.csv': lines('user,password', 'me,changed'),
  'junit.xml': suite,
  'numbers.csv': lines('0,1,2', '3,4,5'),
  'jwks.json': json({ keys: [{ kty: 'RSA', n: 'a'.repeat(40), e: 'AQAB' }] }),
}

async function search(files: Files) {
  const workspace = await tree({})
  await using _ = workspace
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.join(workspace.root, path.dirname(name)), { recursive: true })
    await writeFile(path.join(workspace.root, name), content)
  }
  const { files: found, ...rest } = await workspace.find('**', { includeHiddenFiles: true, maxFiles: 1000 })
  return { found: found.map((file) => file.path).sort(), reasons: reasons({ files: [], ...rest }) }
}

test('no file that is a credential is sent, whatever its name', async () => {
  const { found, reasons: skipped } = await search(heldBack)
  expect(found).toEqual([])
  expect(new Set(Object.values(skipped))).toEqual(new Set(['credentials']))
})

test('no file of an unmistakable name is sent, whatever its content', async () => {
  const { found } = await search(Object.fromEntries(byName.map((name) => [name, 'x'])))
  expect(found).toEqual([])
})

test('every file that only looks like a credential, or mentions one, is sent', async () => {
  const { found } = await search(sent)
  expect(found).toEqual(Object.keys(sent).sort())
})

describe('a private key is not sent under any name', () => {
  const names =
    'key key.txt deploy_key.txt tls.key.bak server.pem.1 bundle.txt id_rsa id_rsa.bak ssh_host_ed25519_key app.private-key'
  const forms: Readonly<Record<string, (pem: string) => Content>> = {
    'as it is': (pem) => pem,
    'with CRLF': (pem) => pem.replaceAll('\n', '\r\n'),
    'as UTF-16LE': (pem) => Buffer.from(`\ufeff${pem}`, 'utf16le'),
    'as UTF-16BE': (pem) => Buffer.from(`\ufeff${pem}`, 'utf16le').swap16(),
    'as UTF-16 without a byte order mark': (pem) => Buffer.from(pem, 'utf16le'),
    'in UTF-8 with a byte order mark': (pem) => `\ufeff${pem}`,
    'on one line': (pem) => pem.replaceAll('\n', '\\n'),
    'on one line, in quotes': (pem) => JSON.stringify(pem),
    'after a certificate': (pem) => certificate + pem,
    'after bag attributes': (pem) => `Bag Attributes\n    localKeyID: 01\nKey Attributes: <No Attributes>\n${pem}`,
  }
  test.each(
    Object.entries(pems).flatMap(([kind, pem]) =>
      Object.entries(forms).map(([form, as]) => [kind, form, as(pem as string)] as const),
    ),
  )('%s, %s', async (_kind, _form, content) => {
    const { found } = await search(each(names, content))
    expect(found).toEqual([])
  })
})
