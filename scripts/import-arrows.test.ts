import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkImports } from './import-arrows.ts'

const server = 'apps/server/src'
const cases: [string, string, string, boolean][] = [
  ['the contract imports zod', 'packages/contract/src/a.ts', 'zod', true],
  ['the contract imports nothing else', 'packages/contract/src/a.ts', 'node:fs', false],
  ['the server does not know the sdk', `${server}/users/a.ts`, '@oxbow/sdk', false],
  ['but its tests do', `${server}/users/a.test.ts`, '@oxbow/sdk', true],
  ['the sdk does not know the server', 'packages/sdk/src/a.ts', '@oxbow/server', false],
  ['users know the organization', `${server}/users/a.ts`, '../organization/queries.ts', true],
  ['the organization does not know users', `${server}/organization/a.ts`, '../users/queries.ts', false],
  ['the platform knows no feature', `${server}/platform/http/a.ts`, '../../users/queries.ts', false],
  ['an action uses queries', `${server}/users/create-user.ts`, './queries.ts', true],
  ['queries use no action', `${server}/users/queries.ts`, './create-user.ts', false],
  ['access uses no routes', `${server}/users/access.ts`, './routes.ts', false],
  ['a feature does not know app.ts', `${server}/users/a.ts`, '../app.ts', false],
  ['a package is imported by its name', 'packages/sdk/src/a.ts', '../../contract/src/index.ts', false],
]

for (const [name, path, target, allowed] of cases) {
  test(name, () => {
    const wrong = checkImports([{ path, text: `import { a } from '${target}'\n` }])
    assert.equal(wrong.length, allowed ? 0 : 1, wrong.join())
  })
}

test('an import that is only for types, spans lines or is dynamic counts too', () => {
  for (const text of [
    "import type { A } from 'pg'",
    "import {\n  a,\n  b,\n} from 'pg'",
    "await import('pg')",
    "export * from 'pg'",
  ]) {
    assert.equal(checkImports([{ path: 'packages/contract/src/a.ts', text }]).length, 1, text)
  }
})

test('what knows nothing of its own feature may be known by all of it', () => {
  const queries = { path: 'apps/server/src/users/queries.ts', text: "import { a } from './names.ts'\n" }
  const names = (text: string) => ({ path: 'apps/server/src/users/names.ts', text })

  assert.equal(checkImports([queries, names("import { b } from '../platform/app.ts'\n")]).length, 0)
  assert.equal(checkImports([queries, names("import { b } from './access.ts'\n")]).length, 1)
})
