import { generateKeyPairSync } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { credentialFolders, credentialRules } from '../../../src/files/credentials.ts'
import { quoted } from '../../../src/text/text.ts'
import { withLinks } from '../../support/systems.ts'
import { reasons, tree } from '../../support/tree.ts'

// In two parts, so that no scanner takes this file for a key.
const header = (kind: string) => `-----BEGIN ${kind}`
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const secretKeyPacket = Buffer.from([0x95, 0x03, 0x98, 0x04, 0x5f, 0x00, 0x00, 0x00, 0x01])

/** The names on the page, in the table and in the paragraph after it. */
const documented = await (async () => {
  const page = await readFile(new URL('../../../docs/files.md', import.meta.url), 'utf8')
  const section = page.split('\n## Credential files\n')[1] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('| '))
  const onlyNames = rows.join('').replace(/the `config` of a repository[^,]*|\(not [^)]*\)/g, '')
  const byNameAndContent = section.split('**By name and content**')[1]?.split('\n\n')[0] ?? ''
  const namesIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  return { byName: namesIn(onlyNames), byNameAndContent: namesIn(byNameAndContent) }
})()

describe('a private key is not sent', () => {
  test.each<[name: string, kind: string, content: string | Buffer]>([
    ['a.key', 'OpenPGP with armor', header('PGP PRIVATE KEY BLOCK-----\n\nlQOYBF')],
    ['a.pem', 'OpenPGP with armor', header('PGP PRIVATE KEY BLOCK-----\n\nlQOYBF')],
    ['a.asc', 'OpenPGP with armor', header('PGP PRIVATE KEY BLOCK-----\n\nlQOYBF')],
    ['a.gpg', 'OpenPGP', secretKeyPacket],
    ['a.gpg', 'OpenPGP in the new format', Buffer.from([0xc5, 0x58, 0x04, 0x5f, 0x00])],
    ['a.gpg', 'OpenPGP with a length of two bytes', Buffer.from([0xc5, 0xc0, 0x00, 0x04])],
    ['a.gpg', 'OpenPGP with the longest length of two bytes', Buffer.from([0xc5, 0xdf, 0xff, 0x04])],
    ['a.gpg', 'OpenPGP with a length of five bytes', Buffer.from([0xc5, 0xff, 0x00, 0x00, 0x10, 0x00, 0x04])],
    ['a.gpg', 'OpenPGP, version 3', Buffer.from([0xc5, 0x58, 0x03])],
    ['a.gpg', 'OpenPGP, version 6', Buffer.from([0xc5, 0x58, 0x06])],
    ['deploy-key', 'PEM', pem],
    ['server_key', 'PEM', pem],
    ['a.pem', 'UTF-16 little-endian', Buffer.from(`\ufeff${pem}`, 'utf16le')],
    ['a.key', 'UTF-16 big-endian', Buffer.from(pem, 'utf16le').swap16()],
    ['a.der', 'PKCS #8', rsa.privateKey.export({ type: 'pkcs8', format: 'der' })],
    ['a.key', 'PKCS #1', rsa.privateKey.export({ type: 'pkcs1', format: 'der' })],
    ['a.key', 'SEC 1', elliptic.privateKey.export({ type: 'sec1', format: 'der' })],
    [
      'a.p8',
      'PKCS #8 with a passphrase',
      rsa.privateKey.export({ type: 'pkcs8', format: 'der', cipher: 'aes-256-cbc', passphrase: 'secret' }),
    ],
    ['id_dsa_2048', 'SSH2', '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: "x"\n'],
    ['deploy_ed25519', 'OpenSSH', header('OPENSSH PRIVATE KEY-----\nb3Blbn')],
    ['chain.pem', 'beyond the first MiB', `${'a certificate\n'.repeat(200_000)}${pem}`],
    ['chain.pem', 'across two chunks', `${'x'.repeat(1024 * 1024 - 20)}${pem}`],
    ['service-account.json', 'in JSON', JSON.stringify({ private_key: pem })],
    ['backup.age', 'age', 'AGE-SECRET-KEY-1QQQQ'],
  ])('%s, %s', async (name, _kind, content) => {
    await using workspace = await tree({})
    await writeFile(path.join(workspace.root, name), content)
    const found = await workspace.find('*')
    expect(found.files).toEqual([])
    expect(reasons(found)).toEqual({ [name]: 'credentials' })
    expect(await workspace.refusal(name)).toContain(
      `\`${name}\` ${name.endsWith('.age') ? 'is a private key of age' : 'contains a private key'}.`,
    )
  })

  test.each<[name: string, content: string | Buffer]>([
    ['a.pem', header('CERTIFICATE-----\nMIIB')],
    ['a.asc', header('PGP PUBLIC KEY BLOCK-----\n\nmQENBF')],
    ['a.asc', header('PGP SIGNATURE-----\n\niQEz')],
    ['a.gpg', Buffer.from([0x99, 0x01, 0x0d, 0x04, 0x5f, 0x00])],
    ['a.gpg', Buffer.from([0xc5, 0x58, 0x02])],
    ['a.gpg', Buffer.from([0xc5, 0x58, 0x07])],
    ['a.der', rsa.publicKey.export({ type: 'spki', format: 'der' })],
    ['slides.key', Buffer.from('PK\u0003\u0004')],
    ['a.key', ''],
    ['keys.json', '{"keys": 3}'],
  ])('but this is: %s', async (name, content) => {
    await using workspace = await tree({})
    await writeFile(path.join(workspace.root, name), content)
    expect(await workspace.paths('*')).toEqual([name])
  })
})

withLinks('a link with a harmless name to a private key is not sent', async () => {
  await using workspace = await tree({ id_rsa: pem, 'notes.txt': '-> id_rsa' })
  expect(reasons(await workspace.find('*.txt'))).toEqual({ 'notes.txt': 'credentials' })
})

describe('a credential file is not sent', () => {
  test.each(documented.byName)('%s, as documented', async (name) => {
    const at = name.replace('*', 'x').replace('?', ' ').replace(/\/$/, '/x')
    await using workspace = await tree({ [at]: 'x', [`${at}.BAK`]: 'x' })
    const found = await workspace.find('**', { includeHiddenFiles: true })
    expect(found.files).toEqual([])
    expect(new Set(Object.values(reasons(found)))).toEqual(new Set(['credentials']))
  })

  test('the documentation names each', () => {
    const namesOf = (hasForm: boolean) =>
      credentialRules
        .filter(({ form, names }) => names !== undefined && (form !== undefined) === hasForm)
        .flatMap(({ names = '' }) => names.split(' '))
    const folders = [...credentialFolders.keys()].map((name) => `${name}/`)
    expect([...namesOf(false), ...folders].toSorted()).toEqual(documented.byName.toSorted())
    expect(namesOf(true).toSorted()).toEqual(documented.byNameAndContent.toSorted())
  })

  test('a folder that is called like an environment file is searched', async () => {
    await using workspace = await tree({ '.env/report.csv': '1', 'prod.env/report.csv': '2' })
    expect(await workspace.paths('**', { includeHiddenFiles: true })).toEqual([
      '.env/report.csv',
      'prod.env/report.csv',
    ])
  })

  test('the configuration of a bare repository', async () => {
    await using workspace = await tree({
      'mirror.git/config': '1',
      'mirror.git/HEAD': '2',
      'mirror.git/objects/': '',
      'app/config': '3',
      'tool/config': '4',
      'tool/HEAD': '5',
    })
    expect(await workspace.paths('**')).toEqual(['app/config', 'mirror.git/HEAD', 'tool/HEAD', 'tool/config'])
    expect(await workspace.refusal('mirror.git/config')).toContain('configuration of a git repository')
  })
})

describe('a file with the token in its path', () => {
  const token = `xoxb-${'1234567890'.repeat(3)}`

  test('is not sent, and no text shows the token', async () => {
    await using workspace = await tree({ [`${token}.csv`]: '1', [`${token}/b.csv`]: '2', 'c.csv': '3' })
    const found = await workspace.find('**/*.csv\nd.csv\n*.xml', { token })
    expect(found.files.map((file) => file.path)).toEqual(['c.csv'])
    expect(found.skipped.map(({ path, why }) => `${path} ${quoted(why)}`)).toEqual([
      '***.csv has the token in its name',
      '***/b.csv has the token in its name',
    ])
    expect(JSON.stringify(found)).not.toContain(token)
  })
})
