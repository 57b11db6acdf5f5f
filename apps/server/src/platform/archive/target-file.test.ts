import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '@oxbow/testkit'
import { beginDraft } from './draft-path.ts'
import { choosePath, openBackupTarget } from './target-file.ts'

const directory = mkdtempSync(join(tmpdir(), 'oxbow-target-'))
after(() => rmSync(directory, { recursive: true, force: true }))

const named = (name: string, draft = '0123456789abcdef') => join(directory, `${name}.${draft}.partial`)

function writeDraft(path: string, { minutes }: { minutes: number }): string {
  writeFileSync(path, 'unfinished')
  const touched = new Date(Date.now() - minutes * 60_000)
  utimesSync(path, touched, touched)
  return path
}

const listFiles = () =>
  readdirSync(directory)
    .map((name) => join(directory, name))
    .sort()

test('a backup removes abandoned drafts, and keeps those that another process touched in the last minutes', async () => {
  const path = join(directory, 'garden.backup')
  writeDraft(named('garden.backup'), { minutes: 20 })
  writeDraft(named('oxbow-20260131T120000Z.backup'), { minutes: 20 })
  const kept = [
    writeDraft(named('garden.backup', 'fedcba9876543210'), { minutes: 1 }),
    writeDraft(named('other.backup'), { minutes: 20 }),
  ]

  const target = await openBackupTarget({ path, isNamedByTime: false })
  target.output.write('complete')
  await target.commit()

  assert.deepEqual(listFiles(), [path, ...kept].sort())
  for (const name of [path, ...kept]) rmSync(name)
})

test('two processes with one id write a backup to the same directory without removing each other’s draft', async () => {
  const path = join(directory, 'garden.backup')
  const [first, second] = [
    await openBackupTarget({ path, isNamedByTime: false }),
    await openBackupTarget({ path, isNamedByTime: false }),
  ]
  assert.equal(listFiles().length, 2)
  second.remove()
  await first.commit()
  assert.deepEqual(listFiles(), [path])
  rmSync(path)
})

test('a draft to which nothing is written for long is not abandoned while its process runs', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const draft = beginDraft(join(directory, 'slow.backup'))
  writeDraft(draft.path, { minutes: 20 })
  t.mock.timers.tick(30_000)
  await eventually(() => Date.now() - statSync(draft.path).mtimeMs < 60_000)
  draft.end()
  rmSync(draft.path)
})

test('backups that are made in one directory in the same second are all kept, under different names', async () => {
  const chosen = choosePath(directory, new Date('2026-01-31T12:00:00Z'))
  const targets = [
    await openBackupTarget(chosen),
    await openBackupTarget(chosen),
    await openBackupTarget(chosen),
  ]
  for (const [index, { output }] of targets.entries()) output.write(`backup ${index}`)
  const written = await Promise.all(targets.map((target) => target.commit()))

  const fourth = await openBackupTarget(chosen)
  fourth.output.write('backup 3')
  written.push(await fourth.commit())

  assert.deepEqual(
    listFiles(),
    ['-2', '-3', '-4', ''].map((number) => join(directory, `oxbow-20260131T120000Z${number}.backup`)),
  )
  assert.deepEqual(
    written.map((name) => readFileSync(name ?? '', 'utf8')),
    [0, 1, 2, 3].map((index) => `backup ${index}`),
  )
  for (const name of listFiles()) rmSync(name)
})

test('a backup never replaces a file that was made under its name in the meantime', async () => {
  const path = join(directory, 'garden.backup')
  const [first, second] = [
    await openBackupTarget({ path, isNamedByTime: false }),
    await openBackupTarget({ path, isNamedByTime: false }),
  ]
  first.output.write('first')
  second.output.write('second')
  const outcomes = await Promise.allSettled([first.commit(), second.commit()])
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const winner = outcomes[0]?.status === 'fulfilled' ? 'first' : 'second'
  assert.equal(readFileSync(path, 'utf8'), winner)
  second.remove()
  first.remove()
  rmSync(path)
})
