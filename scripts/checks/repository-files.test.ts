import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { hashFiles } from './repository-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'oxbow-files-'))
after(() => rmSync(folder, { recursive: true }))
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
const hashOf = (text: string) =>
  execFileSync('git', ['hash-object', '--stdin'], { input: text }).toString().trim()

test('hashFiles returns the present content of tracked, changed and new files, and no deleted or ignored ones', () => {
  git('init', '--quiet')
  write('.gitignore', 'ignored.txt\n')
  for (const name of ['same.txt', 'changed.txt', 'staged.txt', 'deleted.txt', 'ä b.txt']) write(name, 'old')
  git('add', '.')
  git('commit', '--quiet', '--message', 'Add files')
  write('changed.txt', 'new')
  write('staged.txt', 'new')
  git('add', 'staged.txt')
  rmSync(join(folder, 'deleted.txt'))
  write('untracked.txt', 'new')
  write('ignored.txt', 'new')

  const files = hashFiles(folder)

  assert.deepEqual(Object.fromEntries([...files].sort()), {
    '.gitignore': hashOf('ignored.txt\n'),
    'changed.txt': hashOf('new'),
    'same.txt': hashOf('old'),
    'staged.txt': hashOf('new'),
    'untracked.txt': hashOf('new'),
    'ä b.txt': hashOf('old'),
  })
})

test('hashFiles returns other hashes on another branch, also for files of the same size and time', () => {
  git('add', '.')
  git('commit', '--quiet', '--message', 'Change files')
  const before = hashFiles(folder)
  git('checkout', '--quiet', 'HEAD~1')
  write('same.txt', 'odd')
  const time = new Date(1_700_000_000_000)
  utimesSync(join(folder, 'same.txt'), time, time)

  const after = hashFiles(folder)

  assert.equal(after.get('changed.txt'), hashOf('old'))
  assert.equal(after.get('same.txt'), hashOf('odd'))
  assert.equal(before.get('changed.txt'), hashOf('new'))
})
