import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { draftOf, openBackupTarget } from './target-file.ts'

const directory = mkdtempSync(join(tmpdir(), 'oxbow-target-'))
after(() => rmSync(directory, { recursive: true, force: true }))

test('a backup replaces drafts of killed processes, also of one with the same process id, and keeps those of running ones', async () => {
  const path = join(directory, 'garden.backup')
  const named = (name: string, pid: number) => join(directory, `${name}.${pid}.partial`)
  for (const abandoned of [
    draftOf(path),
    named('garden.backup', 2_147_483_646),
    named('oxbow-20260131T120000Z.backup', process.pid),
  ])
    writeFileSync(abandoned, 'unfinished')
  const kept = [named('garden.backup', process.ppid), named('other.backup', 2_147_483_646)]
  for (const name of kept) writeFileSync(name, 'unfinished')

  const target = await openBackupTarget(path)
  target.output.write('complete')
  await target.commit()

  const names = readdirSync(directory).map((name) => join(directory, name))
  assert.deepEqual(names.sort(), [path, ...kept].sort())
})
