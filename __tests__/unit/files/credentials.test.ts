import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import {
  credentialFiles,
  credentialFolders,
  reasonByForm,
  reasonByName,
} from '../../../src/files/credentials.ts'
import { grid } from '../../support/grid.ts'
import { takesLinearTime } from '../../support/linear-time.ts'
import { withLinks } from '../../support/systems.ts'
import { reasons, tree } from '../../support/tree.ts'

const guid = '0f8fad5b-d9cb-469f-a165-70867728950e'
const names = `
.git/config .git/x/y .ssh/known_hosts .gnupg/x .aws/x .azure/x .kube/cache/x .docker/config.json .config/gcloud/x .config/gh/hosts.yml
.env .env.local .env.production prod.env .envrc .dev.vars
.netrc _netrc netrc .dockercfg .npmrc .yarnrc.yml .pypirc .git-credentials git-credentials-7.config
.htpasswd .pgpass .my.cnf .vault-token .boto .s3cfg rclone.conf
gha-creds-0123abcd.json gha-kubeconfig-93df kubeconfig kubeconfig_1700000000 my.kubeconfig
id_rsa id_dsa id_ecdsa id_ed25519 a.ppk a.p12 a.pfx a.jks a.keystore a.kdbx
terraform.tfstate terraform.tfstate.backup terraform.tfstate.17.backup prod.tfvars
.bash_history .zsh_history .credentials .credentials_rsaparams _runner_file_commands/set_env_x _github_workflow/event.json /github/workflow/event.json
_temp/${guid} _temp/${guid}.sh _temp/${guid}.ps1 _temp/${guid}.cmd _temp/${guid}.py`
  .trim()
  .split(/\s+/)

test.each(names)('%s is held back in any folder and case, and so is a backup of it', (name) => {
  const [, folder, rest = ''] =
    /^(\.(?:config\/)?[a-z]+|_runner_file_commands|_github_workflow|\/github\/workflow)(\/.*)$/.exec(
      name,
    ) ?? []
  const backups = ['.bak', '.old', '~'].map((end) => (folder ? folder + end + rest : name + end))
  const ways = [name, `a/b/${name}`, name.toUpperCase(), ...backups]
  expect(ways.filter((way) => reasonByName(way) === undefined)).toEqual([])
})

test('the reason is what is known of such a file', () => {
  expect(reasonByName('app/.npmrc')).toBe('usually holds tokens')
})

test.each([
  'app.minisig app.sig app.asc SHA256SUMS.gpg',
  'id_rsa.pub key.pub cert.pem chain.crt',
  // A Keynote file.
  'slides.key',
  // Test suites and coverage pages.
  'TEST-credentials.xml credentials.ts.html kubeconfig.test.ts kubeconfig.ts.html',
  // Findings of scanners.
  'gitleaks.json trufflehog.json semgrep.sarif trivy.json checkov.json',
  // Environment files without secrets.
  '.env.example example.env app/sample.env .env.sample prod.env.template',
  '.env.schema .env.dist config.env.example terraform.tfvars.example',
  // Similar names.
  'environment.csv env.local history.csv id_rsa.csv .git.csv gh/hosts.yml plan.json github/workflow/a.csv',
  'appsettings.json login/data trace.har package-lock.json .gitignore .github/a.yml',
  // Scripts not made by the runner.
  `_temp/report.sh scripts/${guid}.sh scripts/${guid} _temp/${guid}.csv _temp/${guid}/a.csv _temp/a-${guid}`,
  // Files in folders with the name of a credential file.
  '.env/report.csv netrc/report.csv',
])('sent, whatever it is called: %s', (paths) => {
  expect(paths.split(' ').filter((path) => reasonByName(path) !== undefined)).toEqual([])
})

/** In two parts, so that no scanner reports this file. */
const begin = (kind: string) => `-----BEGIN ${kind}-----\nMIIEvQ==\n-----END ${kind}-----\n`
const pem = begin(`${'PRIVATE'} KEY`)

/**
 * The reason for holding back a content, in each encoding. `(KIND)` is a key of this kind, and JSON
 * is indented.
 */
function whyHeldBack(line: string): string {
  const isJson = /^\[?\{/.test(line)
  const written = isJson ? JSON.stringify(JSON.parse(line), undefined, 2) : line
  const key = (_: string, kind: string) => begin(kind).replaceAll('\n', isJson ? '\\n' : '\n')
  return whyEncoded(`${written}\n`.replaceAll('⏎', '\n').replace(/\(([A-Z ]+)\)/g, key))
}

/** @param content with a line break at the end */
function whyEncoded(content: string): string {
  const little = Buffer.from(`\ufeff${content}`, 'utf16le')
  const breaks = [content, content.slice(0, -1), content.replaceAll('\n', '\r\n')]
  const forms = [...breaks, `\ufeff${content}`].map((form) => Buffer.from(form))
  const wide = [little, little.subarray(2), Buffer.from(little).swap16()]
  return [...new Set([...forms, ...wide].map((form) => reasonByForm(form)))].join(', ') || 'is sent'
}

test('what is held back by its form', async () => {
  const contents = `
(PRIVATE KEY)
(PGP PRIVATE KEY BLOCK)
# created: 2026-11-22⏎AGE-SECRET-KEY-1QQ
PuTTY-User-Key-File-3: ssh-ed25519
{"type":"service_account","project_id":"p","private_key":"(PRIVATE KEY)"}
{"type":"service_account","private_key":"REDACTED","client_secret":"made-up"}
{"type":"external_account","credential_source":{"url":"x","headers":{"Authorization":"bearer x"}}}
{"appId":"a","displayName":"b","password":"made-up","tenant":"c"}
{"clientId":"a","clientSecret":"made-up","tenantId":"b"}
apiVersion: v1⏎kind: Config⏎users:⏎- name: a⏎  user:⏎    token: made-up
apiVersion: v1⏎kind: Config⏎users:⏎- name: a⏎  user:⏎    client-key-data: made-up
users:⏎- user: {token: "made-up"}⏎kind: "Config"
{"kind":"Config","users":[null,{"name":"a","user":{"token":"made-up"}}]}
# One of two is no stand-in.
kind: Config⏎users:⏎- name: a⏎  user:⏎    token: REDACTED⏎    password: made-up
{"kind":"Config","users":[{"user":{"token":"***","password":"a"}}]}
# It only begins as a stand-in.
kind: Config⏎users:⏎- name: a⏎  user:⏎    token: REDACTED1
[http "https://github.com/"]⏎\textraheader = AUTHORIZATION: basic eDp5
[http]⏎\textraheader = AUTHORIZATION: basic ***⏎[http]⏎\textraheader = AUTHORIZATION: basic eDp5
[remote "origin"]⏎  url = https://x:made-up@github.com/a/b
[url "https://x:made-up@github.com/"]⏎\tinsteadOf = git@github.com:
[default]⏎aws_secret_access_key = made+up/
[default]⏎aws_secret_access_key = made up
export AWS_ACCESS_KEY_ID=AKIA⏎export AWS_SECRET_ACCESS_KEY=made-up
AWS_SESSION_TOKEN="made-up"
AWS_SECRET_ACCESS_KEY=***⏎AWS_SESSION_TOKEN=made-up
{"Version":1,"AccessKeyId":"AKIA","SecretAccessKey":"made-up"}
{"Credentials":{"AccessKeyId":"AKIA","SecretAccessKey":"made-up"}}
{"AccessKey":{"AccessKeyId":"AKIA","SecretAccessKey":"made-up"}}
(PUBLIC KEY)(PGP PUBLIC KEY BLOCK)
{"results":[{"rule":"private-key","match":"(PRIVATE KEY)","secret":"aws_secret_access_key = made-up"}]}
[{"type":"service_account","private_key":"(PRIVATE KEY)"},{"AccessKeyId":"AKIA","SecretAccessKey":"made-up"}]
# Translations.
{"password":"Passwort","users":"Benutzer","token":"Zeichen"}
# A part of what is held back.
{"password":"made-up","tenant":"c"}
{"appId":"a","password":"made-up"}
{"appId":"a","tenant":"c"}
{"SecretAccessKey":"made-up"}
{"users":[{"user":{"token":"made-up"}}]}
{"type":"service_account","project_id":"p","private_key":""}
{"type":"external_account","credential_source":{"file":"token"}}
# Half a key.
{"clientId":"a","clientSecret":"b"}
{"SecretAccessKey":"made-up"}
# No kubeconfig, or one without credentials.
{"kind":"Accounts","users":[{"user":{"token":"made-up"}}]}
apiVersion: v1⏎kind: Config⏎users:⏎- name: a⏎  user:⏎    token: ""
apiVersion: v1⏎kind: ConfigMap⏎users:⏎- name: a⏎  user:⏎    token: made-up
  apiVersion: v1⏎  kind: Config⏎  users:⏎  - name: a⏎    user:⏎      token: made-up
[remote "origin"]⏎\turl = https://github.com/a/b⏎\turl = git@github.com:a/b
# In a file without sections.
url = https://x:made-up@example.com/
# A log.
hint: extraheader = basic eDp5⏎use aws_secret_access_key = x⏎key: (PRIVATE KEY)
`
  const why = async (line: string) =>
    line.startsWith('# ') && !line.includes('\n') ? line : whyHeldBack(line)
  expect(await grid(contents, why)).toMatchInlineSnapshot(`
"(PRIVATE KEY)
    contains a private key
(PGP PRIVATE KEY BLOCK)
    contains a private key
# created: 2026-11-22⏎AGE-SECRET-KEY-1QQ
    contains a private key
PuTTY-User-Key-File-3: ssh-ed25519
    contains a private key
{"type":"service_account","project_id":"p","private_key":"(PRIVATE KEY)"}
    is a service account key of Google Cloud
{"type":"service_account","private_key":"REDACTED","client_secret":"made-up"}
    is a service account key of Google Cloud
{"type":"external_account","credential_source":{"url":"x","headers":{"Authorization":"bearer x"}}}
    is a service account key of Google Cloud
{"appId":"a","displayName":"b","password":"made-up","tenant":"c"}
    is a service principal of Azure
{"clientId":"a","clientSecret":"made-up","tenantId":"b"}
    is a service principal of Azure
apiVersion: v1⏎kind: Config⏎users:⏎- name: a⏎  user:⏎    token: made-up
    is a kubeconfig with credentials
apiVersion: v1⏎kind: Config⏎users:⏎- name: a⏎  user:⏎    client-key-data: made-up
    is a kubeconfig with credentials
users:⏎- user: {token: "made-up"}⏎kind: "Config"
    is a kubeconfig with credentials
{"kind":"Config","users":[null,{"name":"a","user":{"token":"made-up"}}]}
    is a kubeconfig with credentials
# One of two is no stand-in.
kind: Config⏎users:⏎- name: a⏎  user:⏎    token: REDACTED⏎    password: made-up
    is a kubeconfig with credentials
{"kind":"Config","users":[{"user":{"token":"***","password":"a"}}]}
    is a kubeconfig with credentials
# It only begins as a stand-in.
kind: Config⏎users:⏎- name: a⏎  user:⏎    token: REDACTED1
    is a kubeconfig with credentials
[http "https://github.com/"]⏎<9>extraheader = AUTHORIZATION: basic eDp5
    is a git configuration with a token or a password
[http]⏎<9>extraheader = AUTHORIZATION: basic ***⏎[http]⏎<9>extraheader = AUTHORIZATION: basic eDp5
    is a git configuration with a token or a password
[remote "origin"]⏎  url = https://x:made-up@github.com/a/b
    is a git configuration with a token or a password
[url "https://x:made-up@github.com/"]⏎<9>insteadOf = git@github.com:
    is a git configuration with a token or a password
[default]⏎aws_secret_access_key = made+up/
    holds a secret key of AWS
[default]⏎aws_secret_access_key = made up
    holds a secret key of AWS
export AWS_ACCESS_KEY_ID=AKIA⏎export AWS_SECRET_ACCESS_KEY=made-up
    holds a secret key of AWS
AWS_SESSION_TOKEN="made-up"
    holds a secret key of AWS
AWS_SECRET_ACCESS_KEY=***⏎AWS_SESSION_TOKEN=made-up
    holds a secret key of AWS
{"Version":1,"AccessKeyId":"AKIA","SecretAccessKey":"made-up"}
    holds a secret key of AWS
{"Credentials":{"AccessKeyId":"AKIA","SecretAccessKey":"made-up"}}
    holds a secret key of AWS
{"AccessKey":{"AccessKeyId":"AKIA","SecretAccessKey":"made-up"}}
    holds a secret key of AWS
(PUBLIC KEY)(PGP PUBLIC KEY BLOCK)
    is sent
{"results":[{"rule":"private-key","match":"(PRIVATE KEY)","secret":"aws_secret_access_key = made-up"}]}
    is sent
[{"type":"service_account","private_key":"(PRIVATE KEY)"},{"AccessKeyId":"AKIA","SecretAccessKey":"made-up"}]
    is sent
# Translations.
{"password":"Passwort","users":"Benutzer","token":"Zeichen"}
    is sent
# A part of what is held back.
{"password":"made-up","tenant":"c"}
    is sent
{"appId":"a","password":"made-up"}
    is sent
{"appId":"a","tenant":"c"}
    is sent
{"SecretAccessKey":"made-up"}
    is sent
{"users":[{"user":{"token":"made-up"}}]}
    is sent
{"type":"service_account","project_id":"p","private_key":""}
    is sent
{"type":"external_account","credential_source":{"file":"token"}}
    is sent
# Half a key.
{"clientId":"a","clientSecret":"b"}
    is sent
{"SecretAccessKey":"made-up"}
    is sent
# No kubeconfig, or one without credentials.
{"kind":"Accounts","users":[{"user":{"token":"made-up"}}]}
    is sent
apiVersion: v1⏎kind: Config⏎users:⏎- name: a⏎  user:⏎    token: ""
    is sent
apiVersion: v1⏎kind: ConfigMap⏎users:⏎- name: a⏎  user:⏎    token: made-up
    is sent
  apiVersion: v1⏎  kind: Config⏎  users:⏎  - name: a⏎    user:⏎      token: made-up
    is sent
[remote "origin"]⏎<9>url = https://github.com/a/b⏎<9>url = git@github.com:a/b
    is sent
# In a file without sections.
url = https://x:made-up@example.com/
    is sent
# A log.
hint: extraheader = basic eDp5⏎use aws_secret_access_key = x⏎key: (PRIVATE KEY)
    is sent"
`)
  expect(reasonByForm(Buffer.from(pem.replace(/^/gm, '  \t')))).toBe('contains a private key')
  expect(reasonByForm(Buffer.from(''))).toBeUndefined()
})

/** As long as one of AWS, and in two parts, so that no scanner reports this file. */
const longKey = `${'abcdEFGH/1234567890'}+abcdEFGH1234567890ab`

test('what stands around a credential: # is held back, + with 40 characters, . is sent', async () => {
  const around = [
    ...['', '_ ', '_\t', '_ # xxx', '_ ; xxx', '_,', '\n_\n', '  _', '\t_', '"_"', '- _', '+_'],
    ...['export _', '$env:_', '12:00:00 _', '\x1b[36m_\x1b[0m', 'A=1 _ B=2', '{"a": "\\n_\\n"}'],
  ]
  const forms = `
aws_secret_access_key = (§)
AWS_SESSION_TOKEN=(§)==
AWS_SECRET_ACCESS_KEY="(§)"
AWS_SECRET_ACCESS_KEY: (§)
{'AWS_SECRET_ACCESS_KEY': '(§)', 'A': 'b'}
"AWS_SECRET_ACCESS_KEY" => "(§)"
-----BEGIN RSA PRIVATE KEY-----
AGE-SECRET-KEY-(§)
PuTTY-User-Key-File-3: (§)
[http]⏎extraheader = AUTHORIZATION: basic (§)
[remote "origin"]⏎url = https://x:(§)@chat.example/a
kind: Config⏎users:⏎- user:⏎    token: (§)
kind: Config # a⏎users: [{user: {password: "(§)"}}]
{"AccessKeyId":"AKIA","SecretAccessKey":"(§)"}
{"clientId":"a","clientSecret":"(§)","tenantId":"b"}
{"type":"service_account","private_key":"(§)"}`
  const show = (form: string) => {
    const marks = around.map((place) => {
      const [before = '', after = ''] = place.split('_')
      const [short, long] = ['made-up', longKey].map((value) =>
        whyEncoded(`${form.replace('(§)', value).replace(/^/gm, before)}${after}\n`),
      )
      if (`${short}${long}`.includes(', ')) return 'differs by encoding'
      if (short !== 'is sent') return '#'
      return long === short ? '.' : '+'
    })
    return marks.join('')
  }
  expect(await grid(forms, show)).toMatchInlineSnapshot(`
"aws_secret_access_key = (§)
    #######+++++#+++++
AWS_SESSION_TOKEN=(§)==
    #######+++++#+++++
AWS_SECRET_ACCESS_KEY="(§)"
    #######+++++#+++++
AWS_SECRET_ACCESS_KEY: (§)
    ++++++++++++++++++
{'AWS_SECRET_ACCESS_KEY': '(§)', 'A': 'b'}
    ++++++++++++++++++
"AWS_SECRET_ACCESS_KEY" => "(§)"
    ++++++++++++++++++
-----BEGIN RSA PRIVATE KEY-----
    #########.........
AGE-SECRET-KEY-(§)
    #########.........
PuTTY-User-Key-File-3: (§)
    #########.........
[http]⏎extraheader = AUTHORIZATION: basic (§)
    #########.........
[remote "origin"]⏎url = https://x:(§)@chat.example/a
    #########.........
kind: Config⏎users:⏎- user:⏎    token: (§)
    ####.##...........
kind: Config # a⏎users: [{user: {password: "(§)"}}]
    #######...........
{"AccessKeyId":"AKIA","SecretAccessKey":"(§)"}
    ###...###.........
{"clientId":"a","clientSecret":"(§)","tenantId":"b"}
    ###...###.........
{"type":"service_account","private_key":"(§)"}
    ###...###........."
`)
})

test('the end of the first 64 KB cuts a value', () => {
  const start = 'A=1 AWS_SECRET_ACCESS_KEY='
  expect(reasonByForm(Buffer.from(`${start}a`), true)).toBe('holds a secret key of AWS')
  expect(reasonByForm(Buffer.from(`${start}a`))).toBeUndefined()
  expect(reasonByForm(Buffer.from(start), true)).toBeUndefined()
})

test.each([
  'settings.KEY',
  'os.getenv("AWS_SECRET_ACCESS_KEY")',
  'credentials["SecretAccessKey"]',
  'str = None',
  'test',
  '$KEY',
  '${{ secrets.AWS_SECRET_ACCESS_KEY }}',
  '***',
  'x'.repeat(40),
  `wJalrXUtnFEMI/K7MDENG/bPxRfiCY${'EXAMPLEKEY'}`,
  '/run/secrets/of/the/deployment/to/production/key.txt',
  'theSecretAccessKeyOfTheAccountForDeployments_2',
  'theLongNameOfAFunctionThatReturnsTheSecretKey()',
])('%s is no key of AWS in the middle of a line', (value) => {
  const lines = `s3(aws_secret_access_key=§)\n  AWS_SESSION_TOKEN: §\n{"AWS_SECRET_ACCESS_KEY": "§"}\n`
  expect(whyEncoded(lines.replaceAll('§', () => value))).toBe('is sent')
})

const inQuotes = `
kind: Config⏎users:⏎- name: a⏎  user:⏎    token: made-up
kind: Config⏎users:⏎- name: a⏎  user:⏎    token: "made-up"
{"kind":"Config","users":[{"user":{"token":"made-up"}}]}
{"type":"service_account","private_key":"made-up"}
{"appId":"a","displayName":"b","password":"made-up","tenant":"c"}
{"Credentials":{"AccessKeyId":"AKIA","SecretAccessKey":"made-up"}}
`
const withoutBlanks = `
[default]⏎aws_secret_access_key = made-up
[http "https://github.com/"]⏎\textraheader = AUTHORIZATION: basic made-up
[remote "origin"]⏎  url = https://x:made-up@github.com/a/b
`
const standIns = 'REDACTED|DATA+OMITTED|***|xxxx|...|${TOKEN}|$TOKEN|<token>'.split('|')
test.each([
  ...standIns.map((standIn) => [standIn, inQuotes + withoutBlanks]),
  ...['DATA OMITTED', '{{ .Token }}', 'set by env'].map((standIn) => [standIn, inQuotes]),
])('the stand-in %s is no secret', (standIn = '', contents = '') => {
  for (const secret of contents.split('\n').filter(Boolean)) {
    expect([secret, whyHeldBack(secret)]).not.toEqual([secret, 'is sent'])
    const harmless = secret.replace('made-up', standIn)
    expect([harmless, whyHeldBack(harmless)]).toEqual([harmless, 'is sent'])
  }
})

test.each([
  ['kind: Config\nusers: ', '{token: {,'],
  ['AWS_SECRET_ACCESS_KEY="', '\\/+abc'],
  ['', 'AWS_SESSION_TOKEN: abc'],
])('takes linear time to judge %j and many %j', async (start, rest) => {
  const judge = (size: number) => reasonByForm(Buffer.from(start + rest.repeat(size)), true)
  expect(await takesLinearTime(judge, 4_000)).toBe(true)
})

test('sent is what is no credential in its first 64 KB, and JSON that is larger', async () => {
  const text = 'some,text\n'.repeat(6554)
  const key = JSON.stringify({ AccessKeyId: 'AKIA', SecretAccessKey: 'made-up', more: text })
  await using workspace = await tree({
    'late.txt': text + pem,
    'cut.txt': `${text.slice(0, 65_507)} AWS_SECRET_ACCESS_KEY: abc${text}`,
    'large.json': key,
    'long.txt': pem + text,
    'a.pem': pem,
  })
  const found = await workspace.find('*')
  expect(found.files.map(({ path }) => path)).toEqual(['large.json', 'late.txt'])
  expect(Object.keys(reasons(found))).toEqual(['a.pem', 'cut.txt', 'long.txt'])
})

test('the documentation lists each name', () => {
  const page = readFileSync(new URL('../../../docs/files.md', import.meta.url), 'utf8')
  const section = page.split('\n## Credential files\n')[1]?.split('\n## ')[0] ?? ''
  const table = section.split('\n').filter((line) => line.startsWith('| '))
  const documented = table.flatMap(
    (line) => line.replace(/\(not [^)]*\)/, '').match(/(?<=`)[^`,]+(?=`)/g) ?? [],
  )
  const folders = credentialFolders.split(' ').map((name) => `${name}/`)
  const all = [...folders, ...Object.values(credentialFiles).flatMap((row) => row.split(' '))]
  expect(documented.sort()).toEqual(all.sort())
})

withLinks('a link with a harmless name to a credential is not sent', async () => {
  const entries = {
    'server.pem': pem,
    '.env': '1',
    '.git/config': '2',
    'a.txt': '-> .env',
    b: '-> .git',
  }
  await using workspace = await tree({ ...entries, 'notes.txt': '-> server.pem' })
  const found = await workspace.find('*.txt\nb/*')
  expect(reasons(found)).toEqual({
    'notes.txt': 'credentials',
    'a.txt': 'credentials',
    'b/': 'credentials',
  })
})
