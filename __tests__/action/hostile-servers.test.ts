/** Attacks of SECURITY.md's threat model that no other file tries. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { sharedFolder } from '../support/folder.ts'
import { withPreload } from '../support/preload.ts'
import { withClock } from '../support/scaled-clock.ts'
import { type Done, runStep, type Step } from '../support/step.ts'
import { veryLong } from '../support/systems.ts'

const folder = sharedFolder({ ENV: '', PATH: '', STATE: '' })
const files = { 'a.csv': 'a,b\n', 'b.csv': 'c,d\n' }
const external = { method: 'external', files: '*.csv' }

const expectFailed = ({ code, messages, outputs }: Done) => {
  expect({ code, status: outputs['status'], messages }).toEqual({
    code: 1,
    status: 'failed',
    messages: [],
  })
}

describe('what the step can reach', () => {
  test.each(['external', 'files.upload'])(
    'it connects to the service and nobody else (%s)',
    async (method) => {
      const connections = join(folder, `connections-${method}`)
      const expected: string[] = []
      const done = await runStep({
        files,
        inputs: { ...external, method },
        prepare: ({ origin, uploadOrigin }) => {
          for (const one of [origin, ...(method === 'external' ? [uploadOrigin] : [])])
            expected.push(new URL(one).host)
        },
        ...withPreload(`
        import { subscribe } from 'node:diagnostics_channel'
        import { appendFileSync } from 'node:fs'
        subscribe('net.client.socket', ({ socket }) => socket.once('connect', () => {
          const { remoteAddress, remotePort } = socket
          appendFileSync(${JSON.stringify(connections)}, remoteAddress + ':' + remotePort + '\\n')
        }))
      `),
      })
      expect(done.outputs).toMatchObject({ status: 'posted' })
      const reached = new Set((await readFile(connections, 'utf8')).trim().split('\n'))
      expect([...reached].sort()).toEqual(expected.sort())
    },
  )

  test('it starts no other program, and loads no native code', async () => {
    // With Node's permission model, both would throw.
    const nodeOptions = ['--permission', '--allow-fs-read=*', '--allow-fs-write=*']
    const done = await runStep({ files, inputs: external, nodeOptions })
    expect(done).toMatchObject({ code: 0, outputs: { status: 'posted' } })
  })

  test('it leaves nothing behind: no file, no environment, path or state for later steps', async () => {
    const written = Object.fromEntries(
      ['ENV', 'PATH', 'STATE'].map((name) => [`GITHUB_${name}`, join(folder, name)]),
    )
    let found: Promise<readonly string[]> | undefined
    const done = await runStep({
      files,
      inputs: external,
      env: written,
      prepare: ({ events }, workspace) => {
        events.once('message', () => {
          found = readdir(workspace)
        })
      },
    })
    expect(done.code).toBe(0)
    expect((await found)?.toSorted()).toEqual(['a.csv', 'b.csv'])
    for (const file of Object.values(written)) expect(await readFile(file, 'utf8')).toBe('')
  })
})

describe('text that is made to cost', () => {
  const slashes = '/'.repeat(veryLong)

  test.each<[string, NonNullable<Step['inputs']>]>([
    ['braces that multiply', { files: `${'{a,b}'.repeat(40)}.csv` }],
    ['thousands of lines', { files: 'x*.csv\n'.repeat(veryLong / 50) }],
    ['braces in a comment', { method: 'external', comment: '{'.repeat(veryLong) }],
    // The server does not speak https. It refuses such a long URL, or resets the connection.
    [
      'a base-url of slashes',
      ({ baseUrl }) => ({ 'base-url': `${baseUrl.replace('http:', 'https:')}${slashes}x` }),
    ],
  ])('%s: refused, with a short report', async (_, inputs) => {
    const done = await runStep({ inputs, signal: AbortSignal.timeout(50_000) })
    expectFailed(done)
    expect(done.requests).toEqual([])
    expect(done.summary.length).toBeLessThan(200_000)
    expect(done.stdout.length).toBeLessThan(100_000)
  })

  test.each<[string, string, Step]>([
    [
      'a base-url ending in slashes',
      'posted',
      { inputs: ({ baseUrl }) => ({ 'base-url': `${baseUrl}${slashes}` }) },
    ],
    [
      'a web page of 4 MB that begins its title again and again',
      'unknown',
      {
        prepare: ({ faults }) => {
          const body = { html: `<html>${'<title'.repeat(690_000)}` }
          faults.add({ on: 'files.upload', fault: { kind: 'response', status: 200, body } })
        },
      },
    ],
  ])('%s: read', async (_, status, step) => {
    const done = await runStep({ ...step, ...withClock(), signal: AbortSignal.timeout(50_000) })
    expect(done.outputs['status']).toBe(status)
  })
})
