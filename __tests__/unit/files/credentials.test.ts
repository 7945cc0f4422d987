import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import {
  credentialFiles,
  credentialFolders,
  reasonByForm,
  reasonByName,
} from '../../../src/files/credentials.ts'
import { quoted } from '../../../src/text/text.ts'
import { tokenRemover } from '../../../src/text/token.ts'
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
  // Of Keynote.
  'slides.key',
  // Test suites and pages of coverage.
  'TEST-credentials.xml credentials.ts.html kubeconfig.test.ts kubeconfig.ts.html',
  // Findings.
  'gitleaks.json trufflehog.json semgrep.sarif trivy.json checkov.json',
  // Environment files without values.
  '.env.example example.env sample.env .env.sample prod.env.template',
  '.env.schema .env.dist config.env.example terraform.tfvars.example',
  // What only resembles a name.
  'environment.csv env.local history.csv id_rsa.csv .git.csv gh/hosts.yml plan.json github/workflow/a.csv',
  'appsettings.json login/data trace.har package-lock.json .gitignore .github/a.yml',
  // Scripts that the runner did not make.
  `_temp/report.sh scripts/${guid}.sh scripts/${guid} _temp/${guid}.csv _temp/${guid}/a.csv _temp/a-${guid}`,
  // Files in a folder that is called as a file.
  '.env/report.csv netrc/report.csv',
])('sent, whatever it is called: %s', (paths) => {
  expect(paths.split(' ').filter((path) => reasonByName(path) !== undefined)).toEqual([])
})

/** In two parts, so that no scanner takes this file for a key. */
const begin = (kind: string) => `-----BEGIN ${kind}-----\nMIIEvQ==\n-----END ${kind}-----\n`
const pem = begin(`${'PRIVATE'} KEY`)
const lines = (...texts: readonly string[]) => `${texts.join('\n')}\n`
const json = (value: unknown) => JSON.stringify(value, undefined, 2)
const kubeconfig = lines(
  'apiVersion: v1',
  'kind: Config',
  'users:',
  '- name: a',
  '  user:',
  '    token: made-up',
)
const kubectl = (...secrets: readonly string[]) =>
  lines(
    'kind: Config',
    'users:',
    '- name: a',
    '  user:',
    ...secrets.map((secret) => `    ${secret}`),
  )
const standIns = [
  ...'REDACTED DATA+OMITTED *** xxxx ... ${TOKEN} $TOKEN <token>'.split(' '),
  ...['DATA OMITTED', '{{ .Token }}', 'set by env'],
]

const checkout = lines(
  '[core]',
  '\tbare = false',
  '[http "https://github.com/"]',
  '\textraheader = AUTHORIZATION: basic eDp5',
)
const account = { type: 'service_account', project_id: 'p', private_key: pem }
const federated = {
  type: 'external_account',
  credential_source: { url: 'x', headers: { Authorization: 'bearer x' } },
}
const principal = { appId: 'a', displayName: 'b', password: 'made-up', tenant: 'c' }
const awsKey = { AccessKeyId: 'AKIA', SecretAccessKey: 'made-up' }

const heldBack = {
  'contains a private key': [
    pem,
    begin(`PGP ${'PRIVATE'} KEY BLOCK`),
    pem.replace(/^/gm, '  \t'),
    lines('# created: 2026-11-22', 'AGE-SECRET-KEY-1QQ'),
    'PuTTY-User-Key-File-3: ssh-ed25519\n',
  ],
  'is a service account key of Google Cloud': [
    json(account),
    json(federated),
    json({ ...account, private_key: 'REDACTED', client_secret: 'made-up' }),
  ],
  'is a service principal of Azure': [
    json(principal),
    json({ clientId: 'a', clientSecret: 'made-up', tenantId: 'b' }),
  ],
  'is a kubeconfig with credentials': [
    kubeconfig,
    kubeconfig.replace('token:', 'client-key-data:'),
    lines('users:', '- user: {token: "made-up"}', 'kind: "Config"'),
    json({ kind: 'Config', users: [null, { name: 'a', user: { token: 'made-up' } }] }),
    // One of two is no stand-in.
    kubectl('token: REDACTED', 'password: made-up'),
    json({ kind: 'Config', users: [{ user: { token: '***', password: 'a' } }] }),
    // It only begins as a stand-in.
    kubectl('token: REDACTED1'),
  ],
  'is a git configuration with a token or a password': [
    checkout,
    `${checkout.replace('basic eDp5', 'basic ***')}${checkout}`,
    lines('[remote "origin"]', '  url = https://x:made-up@github.com/a/b'),
    lines('[url "https://x:made-up@github.com/"]', '\tinsteadOf = git@github.com:'),
  ],
  'holds a secret key of AWS': [
    lines('[default]', 'aws_secret_access_key = made+up/'),
    lines('[default]', 'aws_secret_access_key = made up'),
    lines('export AWS_ACCESS_KEY_ID=AKIA', 'export AWS_SECRET_ACCESS_KEY=made-up'),
    lines('AWS_SESSION_TOKEN="made-up"'),
    lines('AWS_SECRET_ACCESS_KEY=***', 'AWS_SESSION_TOKEN=made-up'),
    json({ Version: 1, ...awsKey }),
    json({ Credentials: awsKey }),
    json({ AccessKey: awsKey }),
  ],
}

describe.each(Object.entries(heldBack))('what %s is held back by its form', (why, contents) => {
  test.each(contents)('%j', (content) => {
    const little = Buffer.from(`\ufeff${content}`, 'utf16le')
    const forms = [content, `\ufeff${content}`, content.replaceAll('\n', '\r\n')].map((form) =>
      Buffer.from(form),
    )
    const wide = [little, little.subarray(2), Buffer.from(little).swap16()]
    expect(new Set([...forms, ...wide].map(reasonByForm))).toEqual(new Set([why]))
  })
})

const findings = {
  results: [{ rule: 'private-key', match: pem, secret: 'aws_secret_access_key = made-up' }],
}

describe('sent, whatever it holds', () => {
  test.each([
    '',
    begin('PUBLIC KEY') + begin('PGP PUBLIC KEY BLOCK'),
    json(findings),
    json([account, awsKey]),
    // Translations.
    json({ password: 'Passwort', users: 'Benutzer', token: 'Zeichen' }),
    json({ ...account, private_key: '' }),
    json({ ...federated, credential_source: { file: 'token' } }),
    // Half a key.
    json({ clientId: 'a', clientSecret: 'b' }),
    json({ SecretAccessKey: 'made-up' }),
    // No kubeconfig, or one without credentials.
    json({ kind: 'Accounts', users: [{ user: { token: 'made-up' } }] }),
    kubeconfig.replace('token: made-up', 'token: ""'),
    kubeconfig.replace('Config', 'ConfigMap'),
    kubeconfig.replace(/^/gm, '  '),
    lines('[remote "origin"]', '\turl = https://github.com/a/b', '\turl = git@github.com:a/b'),
    // In a file without sections.
    lines('url = https://x:made-up@example.com/'),
    // A log.
    lines(
      'hint: extraheader = basic eDp5',
      'use aws_secret_access_key = x',
      `key: ${pem.split('\n')[0]}`,
    ),
    ...standIns.flatMap((value) => [
      kubeconfig.replace('made-up', value),
      kubeconfig.replace('made-up', `"${value}"`),
      json({ kind: 'Config', users: [{ user: { token: value } }] }),
      json({ ...account, private_key: value }),
      json({ ...principal, password: value }),
      json({ Credentials: { ...awsKey, SecretAccessKey: value } }),
    ]),
    ...standIns
      .filter((value) => !value.includes(' '))
      .flatMap((value) => [
        lines('[default]', `aws_secret_access_key = ${value}`),
        checkout.replace('basic eDp5', `basic ${value}`),
        lines('[remote "origin"]', `  url = https://x:${value}@github.com/a/b`),
      ]),
  ])('%j', (content) => {
    expect(reasonByForm(Buffer.from(content))).toBeUndefined()
  })

  test('what is no credential in its first 64 KB, and JSON that is larger', async () => {
    const text = 'some,text\n'.repeat(6554)
    const key = json({ ...awsKey, more: text })
    await using workspace = await tree({
      'late.txt': text + pem,
      'large.json': key,
      'long.txt': pem + text,
      'a.pem': pem,
    })
    const found = await workspace.find('*')
    expect(found.files.map(({ path }) => path)).toEqual(['large.json', 'late.txt'])
    expect(reasons(found)).toEqual({ 'long.txt': 'credentials', 'a.pem': 'credentials' })
  })
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

test('a file with the token in its path is not sent, and no text shows the token', async () => {
  const token = `xoxb-${'1234567890'.repeat(3)}`
  const removeToken = tokenRemover(token)
  await using workspace = await tree({
    [`${token}.csv`]: '1',
    [`${token}/b.csv`]: '2',
    'c.csv': '3',
  })
  const found = await workspace.find('**/*.csv\nd.csv\n*.xml', { removeToken })
  expect(found.files.map((file) => file.path)).toEqual(['c.csv'])
  expect(found.skipped.map(({ path, why }) => `${path} ${quoted(why)}`)).toEqual([
    '***.csv has the token in its name',
    '***/b.csv has the token in its name',
  ])
  expect(await workspace.refusal(`${token}.csv`, { removeToken })).toBe(
    '`***.csv` has the token in its name.\nRename such a file, and replace the token: others may have seen the name.',
  )
  expect(JSON.stringify(found)).not.toContain(token)
})
