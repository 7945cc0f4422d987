#!/usr/bin/env bash
# semantic-release, git-cliff, Commitizen: no agreement on the next version
#
# Guess:     three tools for Conventional Commits agree, at least on a breaking change: feat! is a
#            new major version.
# Happens:   semantic-release, as it comes, does not know the "!": "feat!: …" releases nothing at
#            all. Nor does it know the footer BREAKING-CHANGE, but BREAKING CHANGE without the colon
#            is one for it alone. git-cliff makes a patch of docs and of a revert, the other two
#            make nothing of them. With the preset conventionalcommits, the "!" counts.
# Versions:  @semantic-release/commit-analyzer 13.0.1,
#            conventional-changelog-conventionalcommits 9.3.1, git-cliff 2.14.2, commitizen 4.19.3,
#            Node 24.21.0, Python 3.11.7
# Seen:      2026-11-28
# Who meets it: projects that check commits with one tool, and release with another.
. "$(dirname "${BASH_SOURCE[0]}")/support.bash" "$(mktemp -d)"
command -v git > /dev/null || { echo 'There is no git here.' && exit 2; }
install @semantic-release/commit-analyzer@13.0.1 conventional-changelog-conventionalcommits@9.3.1 \
  git-cliff@2.14.2
PIP_NO_COMPILE=1 install_python commitizen==4.19.3

export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_COMMITTER_NAME=a
export GIT_AUTHOR_EMAIL=a@example.com GIT_COMMITTER_EMAIL=a@example.com
cat > finding.mjs <<'JS'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { analyzeCommits } from '@semantic-release/commit-analyzer'

const messages = [
  'feat!: drop Node 22',
  'fix: read links\n\nBREAKING CHANGE: of folders, too',
  'fix: read links\n\nBREAKING-CHANGE: of folders, too',
  'fix: read links\n\nBREAKING CHANGE of folders, too',
  'docs: name the limits',
  'revert: feat: read links',
]
const cliff = resolve('node_modules/.bin/git-cliff')
const commitizen = resolve('python/bin/cz')
const kinds = { '1.2.3': 'none', '1.2.4': 'patch', '1.3.0': 'minor', '2.0.0': 'major' }
const context = { cwd: process.cwd(), logger: { log() {} } }

for (const [index, message] of messages.entries()) {
  const cwd = resolve(`project${index}`)
  const version = (program, ...options) =>
    kinds[/\d+\.\d+\.\d+/.exec(spawnSync(program, options, { cwd, encoding: 'utf8' }).stdout)] ?? 'none'
  const git = (...options) => execFileSync('git', options, { cwd })
  mkdirSync(cwd)
  writeFileSync(resolve(cwd, '.cz.toml'), '[tool.commitizen]\nversion = "1.2.3"\ntag_format = "v$version"\n')
  git('init', '--quiet', '--initial-branch=main')
  git('add', '.')
  git('commit', '--quiet', '-m', 'chore: begin')
  git('tag', 'v1.2.3')
  git('commit', '--quiet', '--allow-empty', '-m', message)

  const commits = [{ hash: '1', message }]
  const release = async (options) => (await analyzeCommits(options, { ...context, commits })) ?? 'none'
  console.log(message.replaceAll('\n\n', ' / '))
  console.log(
    `  semantic-release ${await release({})}, conventionalcommits ` +
      `${await release({ preset: 'conventionalcommits' })}, git-cliff ` +
      `${version(cliff, '--bumped-version')}, cz ${version(commitizen, 'bump', '--get-next', '--yes')}`,
  )
}
JS
play node finding.mjs
described <<'END'
feat!: drop Node 22
  semantic-release none, conventionalcommits major, git-cliff major, cz major
fix: read links / BREAKING CHANGE: of folders, too
  semantic-release major, conventionalcommits major, git-cliff major, cz major
fix: read links / BREAKING-CHANGE: of folders, too
  semantic-release patch, conventionalcommits major, git-cliff major, cz major
fix: read links / BREAKING CHANGE of folders, too
  semantic-release major, conventionalcommits major, git-cliff patch, cz patch
docs: name the limits
  semantic-release none, conventionalcommits none, git-cliff patch, cz none
revert: feat: read links
  semantic-release none, conventionalcommits none, git-cliff patch, cz none
END
