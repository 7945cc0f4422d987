import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import {
  credentialFiles,
  credentialFolders,
  reasonByForm,
  reasonByName,
} from '../../../src/files/credentials.ts'
import { quoted } from '../../../src/text/text.ts'
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

describe('held back by name', () => {
  test.each(names)('%s, in any folder and case, and a backup of it', (name) => {
    const [, folder, rest = ''] =
      /^(\.(?:config\/)?[a-z]+|_runner_file_commands|_github_workflow|\/github\/workflow)(\/.*)$/.exec(
        name,
      ) ?? []
    const backups = ['.bak', '.old', '~'].map((end) => (folder ? folder + end + rest : name + end))
    const ways = [name, `a/b/${name}`, name.toUpperCase(), ...backups]
    expect(ways.filter((way) => reasonByName(way) === undefined)).toEqual([])
  })
})

describe('sent, whatever it is called', () => {
  test.each([
    ['signatures', 'app.minisig app.sig app.asc SHA256SUMS.gpg'],
    ['public keys and certificates', 'id_rsa.pub key.pub cert.pem chain.crt'],
    ['a Keynote file', 'slides.key'],
    [
      'test suites and coverage pages',
      'TEST-credentials.xml credentials.ts.html kubeconfig.test.ts kubeconfig.ts.html',
    ],
    ['findings', 'gitleaks.json trufflehog.json semgrep.sarif trivy.json checkov.json'],
    [
      'environment files without values',
      '.env.example example.env sample.env .env.sample prod.env.template',
    ],
    ['others of these', '.env.schema .env.dist config.env.example terraform.tfvars.example'],
    [
      'what only resembles a name',
      'environment.csv env.local history.csv id_rsa.csv .git.csv gh/hosts.yml plan.json github/workflow/a.csv',
    ],
    [
      'data of applications',
      'appsettings.json login/data trace.har package-lock.json .gitignore .github/a.yml',
    ],
    [
      'scripts that the runner did not make',
      `_temp/report.sh scripts/${guid}.sh scripts/${guid} _temp/${guid}.csv _temp/${guid}/a.csv _temp/a-${guid}`,
    ],
    ['files in a folder that is called as a file', '.env/report.csv netrc/report.csv'],
  ])('%s: %s', (_what, paths) => {
    expect(paths.split(' ').filter((path) => reasonByName(path) !== undefined)).toEqual([])
  })
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

describe('held back by form', () => {
  const key = 'contains a private key'
  const google = 'is a service account key of Google Cloud'
  const azure = 'is a service principal of Azure'
  const kube = 'is a kubeconfig with credentials'
  const git = 'is a git configuration with a token or a password'
  const aws = 'holds a secret key of AWS'
  test.each<[what: string, content: string, why: string]>([
    ['a private key', pem, key],
    ['OpenPGP', begin(`PGP ${'PRIVATE'} KEY BLOCK`), key],
    ['behind spaces', pem.replace(/^/gm, '  \t'), key],
    ['age', lines('# created: 2026-11-22', 'AGE-SECRET-KEY-1QQ'), key],
    ['PuTTY', 'PuTTY-User-Key-File-3: ssh-ed25519\n', key],
    ['Google', json(account), google],
    ['Google, federated', json(federated), google],
    ['Azure', json(principal), azure],
    ['Azure, for an SDK', json({ clientId: 'a', clientSecret: 'made-up', tenantId: 'b' }), azure],
    ['Kubernetes', kubeconfig, kube],
    ['Kubernetes, a key', kubeconfig.replace('token:', 'client-key-data:'), kube],
    [
      'Kubernetes, users first',
      lines('users:', '- user: {token: "made-up"}', 'kind: "Config"'),
      kube,
    ],
    [
      'Kubernetes, JSON',
      json({ kind: 'Config', users: [null, { name: 'a', user: { token: 'made-up' } }] }),
      kube,
    ],
    ['Kubernetes, one of two', kubectl('token: REDACTED', 'password: made-up'), kube],
    [
      'Kubernetes, JSON, one of two',
      json({ kind: 'Config', users: [{ user: { token: '***', password: 'a' } }] }),
      kube,
    ],
    [
      'Google, one of two',
      json({ ...account, private_key: 'REDACTED', client_secret: 'made-up' }),
      google,
    ],
    ['AWS, with a space', lines('[default]', 'aws_secret_access_key = made up'), aws],
    ['AWS, one of two', lines('AWS_SECRET_ACCESS_KEY=***', 'AWS_SESSION_TOKEN=made-up'), aws],
    ['git, one of two', `${checkout.replace('basic eDp5', 'basic ***')}${checkout}`, git],
    ['what only begins as a stand-in', kubectl('token: REDACTED1'), kube],
    ['git, a token', checkout, git],
    [
      'git, a password',
      lines('[remote "origin"]', '  url = https://x:made-up@github.com/a/b'),
      git,
    ],
    [
      'git, a password for a host',
      lines('[url "https://x:made-up@github.com/"]', '\tinsteadOf = git@github.com:'),
      git,
    ],
    ['AWS', lines('[default]', 'aws_secret_access_key = made+up/'), aws],
    [
      'AWS, for a shell',
      lines('export AWS_ACCESS_KEY_ID=AKIA', 'export AWS_SECRET_ACCESS_KEY=made-up'),
      aws,
    ],
    ['AWS, as variables', lines('AWS_SESSION_TOKEN="made-up"'), aws],
    ['AWS, JSON', json({ Version: 1, ...awsKey }), aws],
    ['AWS, a session in JSON', json({ Credentials: awsKey }), aws],
    ['AWS, a new key', json({ AccessKey: awsKey }), aws],
  ])('%s', (_what, content, why) => {
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
  test.each<[what: string, content: string]>([
    ['a public key', begin('PUBLIC KEY') + begin('PGP PUBLIC KEY BLOCK')],
    ['findings that quote whole keys', json(findings)],
    ['a list of findings', json([account, awsKey])],
    ['translations', json({ password: 'Passwort', users: 'Benutzer', token: 'Zeichen' })],
    ['an account without its key', json({ ...account, private_key: '' })],
    [
      'a federated account without a header',
      json({ ...federated, credential_source: { file: 'token' } }),
    ],
    ['half a principal', json({ clientId: 'a', clientSecret: 'b' })],
    ['half a key of AWS', json({ SecretAccessKey: 'made-up' })],
    [
      'users in JSON of another kind',
      json({ kind: 'Accounts', users: [{ user: { token: 'made-up' } }] }),
    ],
    ['a kubeconfig without credentials', kubeconfig.replace('token: made-up', 'token: ""')],
    ['another kind', kubeconfig.replace('Config', 'ConfigMap')],
    ['a kind that is not at the top', kubeconfig.replace(/^/gm, '  ')],
    [
      'a git configuration',
      lines('[remote "origin"]', '\turl = https://github.com/a/b', '\turl = git@github.com:a/b'),
    ],
    [
      'a setting with an address, in a file without sections',
      lines('url = https://x:made-up@example.com/'),
    ],
    [
      'a log',
      lines(
        'hint: extraheader = basic eDp5',
        'use aws_secret_access_key = x',
        `key: ${pem.split('\n')[0]}`,
      ),
    ],
    ['nothing', ''],
    ...standIns.flatMap((value): [string, string][] => [
      [`a kubeconfig with ${value}`, kubeconfig.replace('made-up', value)],
      [`a kubeconfig with ${value} in quotes`, kubeconfig.replace('made-up', `"${value}"`)],
      [
        `a kubeconfig in JSON with ${value}`,
        json({ kind: 'Config', users: [{ user: { token: value } }] }),
      ],
      [`a service account with ${value}`, json({ ...account, private_key: value })],
      [`a service principal with ${value}`, json({ ...principal, password: value })],
      [`a key of AWS with ${value}`, json({ Credentials: { ...awsKey, SecretAccessKey: value } })],
    ]),
    ...standIns
      .filter((value) => !value.includes(' '))
      .flatMap((value): [string, string][] => [
        [`a file of AWS with ${value}`, lines('[default]', `aws_secret_access_key = ${value}`)],
        [`a header of git with ${value}`, checkout.replace('basic eDp5', `basic ${value}`)],
        [
          `a URL of git with ${value}`,
          lines('[remote "origin"]', `  url = https://x:${value}@github.com/a/b`),
        ],
      ]),
  ])('%s', (_what, content) => {
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

test('the documentation lists each name, in at most 25 lines', () => {
  const page = readFileSync(new URL('../../../docs/files.md', import.meta.url), 'utf8')
  const section = page.split('\n## Credential files\n')[1]?.split('\n## ')[0] ?? ''
  const table = section.split('\n').filter((line) => line.startsWith('| '))
  const documented = table.flatMap(
    (line) => line.replace(/\(not [^)]*\)/, '').match(/(?<=`)[^`,]+(?=`)/g) ?? [],
  )
  const folders = credentialFolders.split(' ').map((name) => `${name}/`)
  const all = [...folders, ...Object.values(credentialFiles).flatMap((row) => row.split(' '))]
  expect(documented.sort()).toEqual(all.sort())
  expect(section.trim().split('\n').length).toBeLessThanOrEqual(25)
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
  await using workspace = await tree({
    [`${token}.csv`]: '1',
    [`${token}/b.csv`]: '2',
    'c.csv': '3',
  })
  const found = await workspace.find('**/*.csv\nd.csv\n*.xml', { token })
  expect(found.files.map((file) => file.path)).toEqual(['c.csv'])
  expect(found.skipped.map(({ path, why }) => `${path} ${quoted(why)}`)).toEqual([
    '***.csv has the token in its name',
    '***/b.csv has the token in its name',
  ])
  expect(await workspace.refusal(`${token}.csv`, { token })).toBe(
    '`***.csv` has the token in its name.\nRename such a file, and replace the token: others may have seen the name.',
  )
  expect(JSON.stringify(found)).not.toContain(token)
})
