import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkImports, findImportCycles } from './import-arrows.ts'

const server = 'apps/server/src'
const cases: [string, string, string, boolean][] = [
  ['the contract may import zod', 'packages/contract/src/a.ts', 'zod', true],
  ['the contract may not import other modules', 'packages/contract/src/a.ts', 'node:fs', false],
  ['the server may not import the SDK', `${server}/users/a.ts`, '@oxbow/sdk', false],
  ['tests of the server may import the SDK', `${server}/users/a.test.ts`, '@oxbow/sdk', true],
  ['the SDK may not import the server', 'packages/sdk/src/a.ts', '@oxbow/server', false],
  ['users may import the organization', `${server}/users/a.ts`, '../organization/queries.ts', true],
  ['the organization may not import users', `${server}/organization/a.ts`, '../users/queries.ts', false],
  ['the platform may not import a feature', `${server}/platform/http/a.ts`, '../../users/queries.ts', false],
  ['the platform may not import events', `${server}/platform/a.ts`, '../events/emit.ts', false],
  ['events may import the platform', `${server}/events/a.ts`, '../platform/app.ts', true],
  ['an action may import queries', `${server}/users/create-user.ts`, './queries.ts', true],
  ['queries may not import an action', `${server}/users/queries.ts`, './create-user.ts', false],
  ['access checks may not import routes', `${server}/users/access.ts`, './routes.ts', false],
  ['a feature may not import app.ts', `${server}/users/a.ts`, '../app.ts', false],
  [
    'another package must be imported by its name',
    'packages/sdk/src/a.ts',
    '../../contract/src/index.ts',
    false,
  ],
]

for (const [name, path, target, allowed] of cases) {
  test(name, () => {
    const wrong = checkImports([{ path, text: `import { a } from '${target}'\n` }])
    assert.equal(wrong.length, allowed ? 0 : 1, wrong.join())
  })
}

test('checkImports finds imports of types, imports over several lines and dynamic imports', () => {
  for (const text of [
    "import type { A } from 'pg'",
    "import {\n  a,\n  b,\n} from 'pg'",
    "await import('pg')",
    "export * from 'pg'",
  ]) {
    assert.equal(checkImports([{ path: 'packages/contract/src/a.ts', text }]).length, 1, text)
  }
})

test('a file that imports no file of its feature may be imported by every file of the feature', () => {
  const queries = { path: 'apps/server/src/users/queries.ts', text: "import { a } from './names.ts'\n" }
  const names = (text: string) => ({ path: 'apps/server/src/users/names.ts', text })

  assert.equal(checkImports([queries, names("import { b } from '../platform/app.ts'\n")]).length, 0)
  assert.equal(checkImports([queries, names("import { b } from './access.ts'\n")]).length, 1)
})

test('the platform may not use the event system through `App` without an import', () => {
  const file = (path: string) => ({ path: `${server}/${path}`, text: 'app.events.log.isCutOff\n' })

  assert.equal(checkImports([file('platform/a.ts')]).length, 1)
  assert.equal(checkImports([file('users/a.ts')]).length, 0)
})

test('findImportCycles finds files that import each other through others, also as types', () => {
  const file = (name: string, ...targets: string[]) => ({
    path: `${server}/users/${name}.ts`,
    text: targets.map((target) => `import type { A } from './${target}.ts'\n`).join(''),
  })

  assert.deepEqual(findImportCycles([file('a', 'b', 'c'), file('b', 'c'), file('c')]), [])
  assert.deepEqual(findImportCycles([file('a', 'b'), file('b', 'c'), file('c', 'b'), file('d', 'a')]), [
    `${server}/users/b.ts → ${server}/users/c.ts → ${server}/users/b.ts`,
  ])
})
