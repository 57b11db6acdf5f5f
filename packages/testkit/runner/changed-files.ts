import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { hashFiles } from '../../../scripts/checks/repository-files.ts'
import type { SourceGraph, Sources } from './source-graph.ts'

/**
 * Lists the files that differ from those of the commit where the current branch left a revision: by commits,
 * by changes that are not committed, and files that git does not track.
 */
export function listChangedFiles(revision: string): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const start = git('merge-base', revision, 'HEAD').trim()
  const changed = git('diff', '--name-only', '--no-renames', '-z', start)
  const untracked = git('ls-files', '--others', '--exclude-standard', '-z')
  return [...new Set(`${changed}\0${untracked}`.split('\0'))].filter((path) => path !== '').sort()
}

const isRead = /\.(?:tsx?|m?js|css|html)$|(?:^|\/)package\.json$/

/** Reads the files of the repository in which a graph looks for names of others. */
export function readSources(): Sources {
  return new Map(
    [...hashFiles().keys()].map((path) => [path, isRead.test(path) ? readFileSync(path, 'utf8') : '']),
  )
}

/** Programs that run all tests. */
const runner = ['main.ts', 'run-shard.ts', 'without-async-hooks.ts'].map(
  (name) => `packages/testkit/runner/${name}`,
)

/** Returns the first file that every test depends on: one of the build, of the packages or of the test runner. */
export function findBasicFile(changed: readonly string[], graph: SourceGraph): string | undefined {
  const basic = new Set(runner)
  // The set grows while it is read.
  for (const path of basic)
    for (const used of graph.listUses(path))
      if (/^(?:packages\/testkit\/runner|scripts)\//.test(used)) basic.add(used)
  return changed.find(
    (path) =>
      basic.has(path) ||
      /(?:^|\/)(?:package|package-lock|tsconfig[\w.]*)\.json$/.test(path) ||
      path === 'scripts/run',
  )
}

/** Leaves out files that are written from others which changed too: whether they are up to date is checked elsewhere. */
export function withoutDerived(changed: readonly string[]): string[] {
  const isDerived = (path: string) =>
    path === 'packages/contract/src/wire.generated.ts' &&
    changed.some((other) => other !== path && other.startsWith('packages/contract/src/'))
  return changed.filter((path) => !isDerived(path))
}
