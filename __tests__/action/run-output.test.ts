import { readFileSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { withClock } from '../support/scaled-clock.ts'
import { runStep, type Step } from '../support/step.ts'
import { told } from '../support/told.ts'

const release = JSON.parse(readFileSync(new URL('../../examples/events/release.json', import.meta.url), 'utf8'))
const forkedPullRequest = {
  pull_request: {
    number: 7,
    head: { repo: { full_name: 'someone/octo-repo' } },
    base: { repo: { full_name: 'octo-org/octo-repo' } },
  },
}

const rows = (count: number) => `name,value\n${'row,1\n'.repeat(count)}`
const coverage = { 'coverage.csv': rows(2000) }
const five = Object.fromEntries(
  ['coverage', 'e2e', 'integration', 'lint', 'unit'].map((name, at) => [`reports/${name}.csv`, rows(at * 5000 + 3)]),
)
const numbered = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`reports/unit-${String(at + 1).padStart(2, '0')}.csv`, rows(at * 50)]),
  )
const privateKey = ['-----BEGIN', 'PRIVATE KEY-----'].join(' ')

const situations: Readonly<Record<string, Step>> = {
  'one CSV to one channel': { eventName: 'push', files: coverage },

  'a release with five files to three channels': {
    eventName: 'release',
    event: release,
    files: five,
    inputs: ({ channels }) => ({
      files: 'reports/*.csv',
      channels: `${channels.general}, ${channels.releases}, ${channels.direct}`,
    }),
  },

  '25 files, with some left out for several reasons and a pattern that matches nothing': {
    eventName: 'push',
    files: {
      ...numbered(25),
      'reports/empty.csv': '',
      'reports/.cache/draft.csv': 'x',
      'reports/key.pem': privateKey,
      'reports/.env': 'A=1',
    },
    prepare: async (_, folder) => {
      await symlink(process.execPath, join(folder, 'reports/host.csv'))
      await symlink('nowhere', join(folder, 'reports/latest.csv'))
    },
    inputs: { files: 'reports/**\ncovrage/**/*.csv' },
  },

  'by the specified interface, to a service without links': {
    service: { strictIds: false },
    files: five,
    inputs: ({ channels }) => ({
      method: 'files.upload',
      files: 'reports/*.csv',
      channels: `${channels.general}\n${channels.releases}`,
      comment: 'Reports of the night',
    }),
  },

  'a service that does not offer the specified interface': {
    service: { offers: { 'files.upload': 'retired' } },
    files: coverage,
    inputs: { method: 'auto' },
  },

  'a wait that the service asks for': {
    files: coverage,
    prepare: ({ faults }) =>
      faults.add({
        on: 'files.completeUploadExternal',
        call: 1,
        fault: { kind: 'response', status: 429, headers: { 'retry-after': '1' } },
      }),
  },

  'the second of two messages is refused': {
    files: numbered(12),
    inputs: { files: 'reports/*.csv' },
    prepare: ({ faults }) =>
      faults.add({
        on: 'files.completeUploadExternal',
        call: 2,
        fault: { kind: 'error', code: 'restricted_action' },
      }),
  },

  'one of two channels refuses the message': {
    ...withClock(30),
    service: { wrongChannel: 'fails alone' },
    files: five,
    inputs: ({ channels, tokens }) => ({
      files: 'reports/*.csv',
      token: tokens.files,
      channels: `${channels.general}, ${channels.postingDenied}`,
    }),
  },

  'the message shows in one of two channels only': {
    ...withClock(30),
    service: { sharing: { milliseconds: 0, lookups: 0, channels: ['C0GENERAL00'] } },
    files: five,
    inputs: ({ channels }) => ({ files: 'reports/*.csv', channels: `${channels.general}, ${channels.builds}` }),
  },

  'the message shows nowhere, and that is worth a warning': {
    ...withClock(30),
    service: { sharing: { milliseconds: 0, lookups: 0, channels: [] } },
    files: coverage,
    inputs: { 'if-not-confirmed': 'warn' },
  },

  'the second of two files is refused by the specified interface': {
    service: { strictIds: false },
    files: { ...coverage, 'unit.csv': rows(3) },
    inputs: ({ channels }) => ({ method: 'files.upload', channels: channels.general }),
    prepare: ({ faults }) =>
      faults.add({
        on: 'files.upload',
        call: 2,
        fault: { kind: 'error', code: 'storage_limit_reached' },
      }),
  },

  'no answer to the message, and a token that may not look': {
    files: five,
    inputs: ({ tokens }) => ({ files: 'reports/*.csv', token: tokens.uploadOnly }),
    prepare: ({ faults }) =>
      faults.add({ on: 'files.completeUploadExternal', fault: { kind: 'reset', when: 'after', effect: true } }),
  },

  'a token that may not look': { files: coverage, inputs: ({ tokens }) => ({ token: tokens.uploadOnly }) },

  'a dry run': {
    files: five,
    inputs: ({ channels, users }) => ({
      'dry-run': 'true',
      files: 'reports/*.csv',
      channels: `${channels.general} ${channels.private} ${users.newcomer}`,
    }),
  },

  'a dry run of what would fail': {
    files: five,
    inputs: ({ channels }) => ({
      'dry-run': 'true',
      files: 'reports/*.csv',
      channels: `${channels.general} ${channels.notJoined} C0UNKNOWN000`,
    }),
  },

  'a pull request from a fork, without a token': {
    eventName: 'pull_request',
    event: forkedPullRequest,
    inputs: { token: '', channels: '', files: 'reports/*.csv' },
  },

  'nothing found, and that is an error': {
    files: { 'Reports/unit.csv': 'x' },
    inputs: { files: 'reports/*.csv\nout/coverage.csv' },
  },

  'nothing found, and that is worth a warning': {
    files: { 'Reports/unit.csv': 'x' },
    inputs: { files: 'reports/*.csv', 'if-no-files-found': 'warn' },
  },

  'nothing found, and that is all the same': {
    files: { 'Reports/unit.csv': 'x' },
    inputs: { files: 'reports/*.csv', 'if-no-files-found': 'ignore' },
  },

  'one of two named files is missing, and that is worth a warning': {
    files: coverage,
    inputs: { files: 'coverage.csv\nout/unit.csv', 'if-no-files-found': 'warn' },
  },

  'the app is in one of two channels': {
    files: five,
    inputs: ({ channels }) => ({ files: 'reports/*.csv', channels: `${channels.general},${channels.notJoined}` }),
  },

  'a token that was revoked': { files: coverage, inputs: ({ tokens }) => ({ token: tokens.revoked }) },

  'a file with the token in it': {
    files: { ...coverage, 'debug.log': '' },
    inputs: ({ tokens }) => ({ token: tokens.files }),
    prepare: async ({ tokens }, folder) => writeFile(join(folder, 'debug.log'), `token ${tokens.files}\n`),
  },

  'no answer to the bytes until the time is over': {
    files: five,
    inputs: { files: 'reports/*.csv', 'timeout-minutes': '0.02' },
    prepare: ({ faults }) => faults.add({ on: 'upload-bytes', fault: { kind: 'silence' } }),
  },

  'inputs that cannot be used': {
    files: coverage,
    inputs: { channels: '#general', 'thread-ts': '1760688662', channel: 'general' },
  },
}

test.each(Object.entries(situations))('what people see of a run: %s', async (_, step) => {
  const { inputs } = step
  const done = await runStep({
    ...step,
    inputs: (sandbox) => ({ method: 'external', ...(typeof inputs === 'function' ? inputs(sandbox) : inputs) }),
  })
  expect(told(done)).toMatchSnapshot()
  expect(done.stderr).toBe('')
})
