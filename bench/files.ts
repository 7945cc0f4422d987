// 10,000 files in 500 folders, one pattern: finding, checking and naming them against what @actions/glob takes to list them.
// Usage: npm run bench:files
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { create } from '@actions/glob'
import { findFiles } from '../src/files/find.ts'

const folders = 500
const filesPerFolder = 20
const rounds = 9
// findFiles also opens each file.
const allowed = 1.8

const workspace = await mkdtemp(path.join(tmpdir(), 'bench-files-'))
try {
  for (let folder = 0; folder < folders; folder++) {
    const at = path.join(workspace, `suite-${folder % 10}`, `case-${folder}`)
    await mkdir(at, { recursive: true })
    for (let file = 0; file < filesPerFolder; file++) {
      await writeFile(path.join(at, `report-${folder}-${file}.csv`), 'test,seconds\n')
    }
  }
  const list = async () => {
    const globber = await create(path.join(workspace, '**/*.csv'), {
      matchDirectories: false,
      implicitDescendants: false,
    })
    return (await globber.glob()).length
  }
  const find = async () => {
    const found = await findFiles('**/*.csv', {
      workspace,
      workingDirectory: workspace,
      includeHiddenFiles: false,
      method: 'files.upload',
      ifNoFilesFound: 'error',
      maxFiles: folders * filesPerFolder,
      knownFolders: [],
      commandFiles: [],
      token: '',
      signal: new AbortController().signal,
    })
    return found.files.length
  }
  const workloads: [string, () => Promise<number>][] = [
    ['@actions/glob, listing only', list],
    ['findFiles', find],
  ]
  const taken = workloads.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, [name, workload]] of workloads.entries()) {
      const start = performance.now()
      const count = await workload()
      taken[index]?.push(performance.now() - start)
      if (count !== folders * filesPerFolder) throw new Error(`${name} found ${count} files`)
    }
  }
  const medians = taken.map((times) => times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0)
  const [floor = 1, found = 0] = medians
  for (const [index, [name]] of workloads.entries()) {
    const median = medians[index] ?? 0
    console.log(`${name.padEnd(40)} ${median.toFixed(0).padStart(6)} ms ${(median / floor).toFixed(2).padStart(6)}`)
  }
  process.exitCode = found / floor > allowed ? 1 : 0
} finally {
  await rm(workspace, { recursive: true })
}
