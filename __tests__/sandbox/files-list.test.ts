import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/sandbox.ts'
import type { Listing } from '../../sandbox/workspace.ts'
import { ApiClient } from '../support/api-client.ts'

const begin = 1_800_000_000_000

let now: number
let sandbox: Sandbox
let api: ApiClient

async function start(options: SandboxOptions = {}): Promise<void> {
  await sandbox?.stop()
  now = begin
  sandbox = await startSandbox({ now: () => now, ...options })
  api = new ApiClient(sandbox)
}

beforeEach(() => start())
afterEach(() => sandbox.stop())

async function names(form: Record<string, string> = {}, token?: string): Promise<readonly string[]> {
  const { files } = await api.call('files.list', form, token)
  return files.map(({ name }: { readonly name: string }) => name)
}

describe('files.list', () => {
  test('lists the newest file first, as it was titled, and without its shares', async () => {
    const { general } = sandbox.channels
    await api.post('a.csv', [general], 'Coverage · 0123456789')
    now += 1_000
    await api.post('b.csv', [], ' é\t漢字 ')
    const { files } = await api.call('files.list')
    expect(files).toMatchObject([
      { name: 'b.csv', title: ' é\t漢字 ', created: begin / 1000 + 1, channels: [], is_public: false },
      { name: 'a.csv', title: 'Coverage · 0123456789', created: begin / 1000, channels: [general], is_public: true },
    ])
    for (const file of files) expect(file).not.toHaveProperty('shares')
  })

  test('is divided into pages', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await api.post(name, [])
    const page = (count: string, number: string) => api.call('files.list', { count, page: number })
    expect(await page('2', '3')).toMatchObject({
      files: [{ name: 'a' }],
      paging: { count: 2, total: 5, page: 3, pages: 3 },
    })
    expect(await page('2', '4')).toMatchObject({ files: [], paging: { page: 4, pages: 3 } })
    expect(await api.call('files.list')).toMatchObject({ paging: { count: 100, total: 5, page: 1, pages: 1 } })
    for (const wrong of ['0', '-1', '1.5', 'two']) {
      expect(await page(wrong, '1')).toMatchObject({ error: 'invalid_arguments' })
      expect(await page('1', wrong)).toMatchObject({ error: 'invalid_arguments' })
    }
  })

  test('is filtered by user and time', async () => {
    const { general, releases } = sandbox.channels
    const seconds = begin / 1000
    await api.post('a.csv', [general])
    now += 10_000
    await api.post('b.png', [releases])
    now += 10_000
    await api.post('c.zip', [general, releases], 'c', sandbox.tokens.user)
    expect(await names()).toEqual(['c.zip', 'b.png', 'a.csv'])
    expect(await names({ user: sandbox.users.app })).toEqual(['b.png', 'a.csv'])
    expect(await names({ ts_from: String(seconds + 10) })).toEqual(['c.zip', 'b.png'])
    expect(await names({ ts_from: `${seconds + 11}` })).toEqual(['c.zip'])
  })

  test('shows the files that the user sees', async () => {
    const { direct, general, private: privateChannel } = sandbox.channels
    const token = sandbox.tokens.user
    await api.post('own.csv', [])
    await api.post('direct.csv', [direct])
    await api.post('private.csv', [privateChannel])
    await api.post('public.csv', [general])
    expect(await names({}, token)).toEqual(['public.csv', 'private.csv'])
    const { files } = await api.call('files.list')
    const own = files.find(({ name }: { readonly name: string }) => name === 'own.csv')
    expect(await api.call('files.info', { file: own.id }, token)).toMatchObject({ error: 'file_not_found' })
    expect(await api.call('files.delete', { file: own.id }, token)).toMatchObject({ error: 'file_not_found' })
  })

  test('refuses what Slack refuses', async () => {
    expect(await api.call('files.list', {}, sandbox.tokens.uploadOnly)).toMatchObject({
      error: 'missing_scope',
      needed: 'files:read',
    })
  })

  test('forgets deleted files, and does not list uploads that are not completed', async () => {
    await api.stage('staged.csv')
    const id = await api.post('deleted.csv', [])
    expect(await names()).toEqual(['deleted.csv'])
    await api.call('files.delete', { file: id })
    expect(await names()).toEqual([])
  })
})

describe('A list that lags', () => {
  const usual: Listing = { milliseconds: 0, calls: 0, files: 'all' }
  const set = (listing: Partial<Listing>) => sandbox.workspace.set({ listing: { ...usual, ...listing } })

  test('shows a file later by time, while files.info shows it at once', async () => {
    set({ milliseconds: 5_000 })
    const id = await api.post('a.csv', [])
    now += 4_999
    expect(await names()).toEqual([])
    expect(await api.call('files.info', { file: id })).toMatchObject({ ok: true })
    now += 1
    expect(await names()).toEqual(['a.csv'])
  })

  test('shows a file later by calls', async () => {
    await api.post('a.csv', [])
    set({ calls: 2 })
    await api.post('b.csv', [])
    expect(await names()).toEqual(['a.csv'])
    expect(await names({ ts_from: '9999999999' })).toEqual([])
    expect(await names()).toEqual(['b.csv', 'a.csv'])
  })

  test('never shows some files', async () => {
    set({ files: ['a.csv'] })
    await api.post('a.csv', [])
    await api.post('b.csv', [])
    set({})
    now += 1e9
    expect(await names()).toEqual(['a.csv'])
  })
})
