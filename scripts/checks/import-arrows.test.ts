import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkImports, findImportCycles, findMissingImports } from './import-arrows.ts'

const server = 'apps/server/src'
const web = 'apps/web/src'
const cases: [string, string, string, boolean][] = [
  ['the contract may import zod', 'packages/contract/src/a.ts', 'zod', true],
  ['the contract may not import other modules', 'packages/contract/src/a.ts', 'node:fs', false],
  ['the server may not import the SDK', `${server}/people/users/a.ts`, '@oxbow/sdk', false],
  ['tests of the server may import the SDK', `${server}/people/users/a.test.ts`, '@oxbow/sdk', true],
  ['the SDK may not import the server', 'packages/sdk/src/a.ts', '@oxbow/server', false],
  ['components may not import the server', 'apps/web/src/ui/A.tsx', '@oxbow/server', false],
  [
    'tests of the server may import helpers of the testkit',
    `${server}/a/a.test.ts`,
    '@oxbow/testkit/calls/emoji',
    true,
  ],
  ['tests of a feature may import its helpers', `${server}/streams/a/a.test.ts`, '../test/b.ts', true],
  [
    'tests of a feature may not import helpers of the whole server',
    `${server}/streams/a/a.test.ts`,
    '../../../test/b.ts',
    false,
  ],
  ['users may import the organization', `${server}/people/users/a.ts`, '../../organization/queries.ts', true],
  [
    'the organization may not import users',
    `${server}/organization/a.ts`,
    '../people/users/queries.ts',
    false,
  ],
  [
    'the platform may not import a feature',
    `${server}/platform/http/a.ts`,
    '../../people/users/queries.ts',
    false,
  ],
  ['the platform may not import events', `${server}/platform/a.ts`, '../events/emit.ts', false],
  ['events may import the platform', `${server}/events/a.ts`, '../platform/app.ts', true],
  ['an action may import queries', `${server}/people/users/create-user.ts`, './queries.ts', true],
  ['queries may not import an action', `${server}/people/users/queries.ts`, './create-user.ts', false],
  ['access checks may not import routes', `${server}/people/users/access.ts`, './routes.ts', false],
  ['a feature may not import app.ts', `${server}/people/users/a.ts`, '../../app.ts', false],
  ['a view may import the list of messages', `${web}/conversation/A.tsx`, '../messages/B.tsx', true],
  ['a list of messages may not import a view', `${web}/messages/B.tsx`, '../conversation/a.ts', false],
  ['a composer may not load a list of messages', `${web}/composer/a.ts`, '../messages/B.tsx', false],
  ['the client may import texts', `${web}/client/people/a.ts`, '../../text/t.ts', true],
  ['the client may not import a component', `${web}/client/people/a.ts`, '../../ui/Menu.tsx', false],
  ['the client may not contain a component', `${web}/client/people/A.tsx`, './a.ts', false],
  ['components of ui may not import the client', `${web}/ui/A.tsx`, '../client/store.ts', false],
  ['a feature may not import the entry', `${web}/shell/A.tsx`, '../main.ts', false],
  ['a folder must be on a level', `${web}/views/A.tsx`, '../ui/Menu.tsx', false],
  ['the entry may import everything', `${web}/main.ts`, './shell/App.tsx', true],
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
  const queries = {
    path: 'apps/server/src/people/users/queries.ts',
    text: "import { a } from './names.ts'\n",
  }
  const names = (text: string) => ({ path: 'apps/server/src/people/users/names.ts', text })

  assert.equal(checkImports([queries, names("import { b } from '../platform/app.ts'\n")]).length, 0)
  assert.equal(checkImports([queries, names("import { b } from './access.ts'\n")]).length, 1)
})

test('the platform may not use the event system through `App` without an import', () => {
  const file = (path: string) => ({ path: `${server}/${path}`, text: 'app.events.log.isCutOff\n' })

  assert.equal(checkImports([file('platform/a.ts')]).length, 1)
  assert.equal(checkImports([file('people/users/a.ts')]).length, 0)
})

test('findMissingImports finds imports that Node could not resolve, and ignores queries', () => {
  const isFile = (path: string) => ['apps/web/src/a.ts', 'apps/web/src/ui/icons.svg'].includes(path)
  const find = (target: string) =>
    findMissingImports([{ path: 'apps/web/src/ui/B.tsx', text: `import '${target}'\n` }], isFile)

  for (const target of ['../a.ts', './icons.svg?url', 'preact']) assert.deepEqual(find(target), [])
  for (const target of ['../a', '../a.js', '..', './a.ts'])
    assert.deepEqual(find(target), [`apps/web/src/ui/B.tsx imports ${target}, which does not exist`])
})

test('findImportCycles finds files that import each other through others, also as types', () => {
  const file = (name: string, ...targets: string[]) => ({
    path: `${server}/people/users/${name}.ts`,
    text: targets.map((target) => `import type { A } from './${target}.ts'\n`).join(''),
  })
  const component = (name: string, target: string) => ({
    path: `apps/web/src/ui/${name}.tsx`,
    text: `import { B } from './${target}.tsx'\n`,
  })

  assert.deepEqual(findImportCycles([file('a', 'b', 'c'), file('b', 'c'), file('c')]), [])
  assert.deepEqual(findImportCycles([file('a', 'b'), file('b', 'c'), file('c', 'b'), file('d', 'a')]), [
    `${server}/people/users/b.ts → ${server}/people/users/c.ts → ${server}/people/users/b.ts`,
  ])
  assert.equal(findImportCycles([component('A', 'B'), component('B', 'A')]).length, 1)
})
