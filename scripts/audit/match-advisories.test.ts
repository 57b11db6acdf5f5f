import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isWithin, listLocked } from './match-advisories.ts'

const ranges: [version: string, range: string, isInside: boolean][] = [
  ['1.4.1', '>=1.0.0 <1.4.2', true],
  ['1.4.2', '>=1.0.0 <1.4.2', false],
  ['1.4.2-rc.1', '<1.4.2', true],
  ['0.9.0', '>=1.0.0 <1.4.2 || <0.9.1', true],
  ['2.10.0', '<2.9.0', false],
  ['3.0.0', '= 3.0.0', true],
  ['3.0.1', '<= 3.0.0', false],
  ['7.1.0', '*', true],
  ['7.1.0', 'what is this', true],
]
for (const [version, range, isInside] of ranges) {
  test(`the version ${version} is ${isInside ? '' : 'not '}within ${range}`, () => {
    assert.equal(isWithin(version, range), isInside)
  })
}

const lockfile = {
  packages: {
    '': { name: 'garden', version: '1.0.0' },
    'packages/shed': { name: '@garden/shed', version: '1.0.0' },
    'node_modules/@garden/shed': { link: true },
    'node_modules/rake': { version: '1.4.1' },
    'node_modules/@tools/hoe': { version: '2.0.0' },
    'node_modules/@tools/hoe/node_modules/rake': { version: '1.5.0' },
  },
}

test("listLocked lists every version of a package and omits the repository's own packages", () => {
  const names = listLocked(lockfile as never).map(({ name, version }) => `${name} ${version}`)
  assert.deepEqual(names, ['rake 1.4.1', '@tools/hoe 2.0.0', 'rake 1.5.0'])
})

test('npm run audit exits with status 1 and names the package that an advisory in the file applies to', () => {
  const folder = mkdtempSync(join(tmpdir(), 'oxbow-audit-'))
  const put = (name: string, content: unknown) => {
    const file = join(folder, name)
    writeFileSync(file, JSON.stringify(content))
    return file
  }
  const lock = put('package-lock.json', lockfile)
  const advisory = { title: 'Handle breaks', severity: 'high', vulnerable_versions: '<1.4.2' }
  const audit = (advisories: string) =>
    spawnSync(
      process.execPath,
      [join(import.meta.dirname, '..', 'audit.ts'), '--lockfile', lock, '--advisories', advisories],
      { encoding: 'utf8' },
    )

  const found = audit(put('found.json', { rake: [advisory] }))
  const clean = audit(put('clean.json', { rake: [{ ...advisory, vulnerable_versions: '<1.0.0' }] }))

  assert.equal(found.status, 1)
  assert.match(found.stdout, /high: rake 1\.4\.1 is within <1\.4\.2: Handle breaks/)
  assert.deepEqual([clean.status, clean.stdout.includes('No advisory applies to the 3 packages')], [0, true])
})
