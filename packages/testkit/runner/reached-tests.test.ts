import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { deliberateFaults } from '../../../scripts/deliberate-faults/deliberate-faults.ts'
import { findBasicFile, readSources, withoutDerived } from './changed-files.ts'
import { gatheringFiles, TestReach } from './reached-tests.ts'
import { SourceGraph } from './source-graph.ts'
import { listTestFiles } from './test-files.ts'

const graph = new SourceGraph(readSources())
const reach = new TestReach(graph)
const allTests = listTestFiles([])

test('a change of each line that a deliberate fault breaks reaches a test that must fail', () => {
  for (const [name, { file, tests }] of Object.entries(deliberateFaults)) {
    const reached = reach.find(allTests, new Set([file]))
    const isFound = reached.some(({ test }) => tests.some((part) => test.includes(part)))
    assert.ok(isFound, `${name}: no test of ${tests.join(', ')} is among the ${reached.length} for ${file}`)
  }
})

test('the files that gather all features exist', () => {
  for (const path of gatheringFiles) assert.ok(existsSync(path), path)
})

test('a test that calls an endpoint uses its action and declaration, but not other features', () => {
  const find = (file: string) => reach.find(allTests, new Set([file])).map(({ test }) => test)
  const [drafts = '', typing = ''] = ['drafts', 'typing'].map(
    (feature) => allTests.find((path) => path.endsWith(`/${feature}/${feature}.test.ts`)) ?? '',
  )
  const declaration =
    [...graph.paths].find(
      (path) =>
        /contract\/src\/(?!.*test).*\.ts$/.test(path) && graph.textOf(path).includes("= '/api/v1/drafts'"),
    ) ?? ''
  const action = [...graph.paths].find((path) => path.endsWith('/drafts/change-drafts.ts')) ?? ''

  for (const file of [action, declaration]) {
    assert.ok(find(file).includes(drafts), `${drafts} uses ${file}`)
    assert.ok(!find(file).includes(typing), `${typing} does not use ${file}`)
  }
})

test('browser tests use the components and styles of the web client', () => {
  const isBrowserTest = ({ test }: { test: string }) => /^apps\/web\/test\/journeys/.test(test)
  for (const pattern of [
    /^apps\/web\/src\/.*\/Button\.tsx$/,
    /^apps\/web\/.*\.css$/,
    /^apps\/web\/public\//,
  ]) {
    const file = [...graph.paths].find((path) => pattern.test(path)) ?? ''
    assert.ok(reach.find(allTests, new Set([file])).some(isBrowserTest), file)
  }
})

test('tests of processes use the command line, and tests with a database use the migrations', () => {
  const find = (file: string) => reach.find(allTests, new Set([file])).map(({ test }) => test)
  const migration = [...graph.paths].find((path) => /\/migrations\/\d+\w+\.sql$/.test(path)) ?? ''

  assert.ok(find('apps/cli/src/main.ts').some((path) => path.startsWith('apps/cli/test/')))
  assert.ok(find(migration).length > 200)
})

test('all tests depend on the lockfile and the test runner', () => {
  for (const path of [
    'package-lock.json',
    'apps/web/package.json',
    'tsconfig.json',
    'packages/testkit/runner/shard.ts',
  ])
    assert.equal(findBasicFile(['docs/scaling.md', path], graph), path)
  assert.equal(
    findBasicFile(['docs/scaling.md', 'scripts/deliberate-faults/deliberate-faults.ts'], graph),
    undefined,
  )
})

test('the generated table of the contract does not count beside a change of the contract', () => {
  const generated = 'packages/contract/src/wire.generated.ts'
  const changed = ['packages/contract/src/ids.ts', generated]
  assert.deepEqual(withoutDerived(changed), ['packages/contract/src/ids.ts'])
  assert.deepEqual(withoutDerived([generated]), [generated])
})
