import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SourceGraph } from './source-graph.ts'

/** Returns what `apps/a/src/main.ts` uses, among these files. A `~` stands for the dot of a relative path. */
function listUses(text: string, others: Record<string, string> = {}): readonly string[] {
  const graph = new SourceGraph(
    new Map(Object.entries({ 'apps/a/src/main.ts': text.replaceAll('~', '.'), ...others })),
  )
  return graph.listUses('apps/a/src/main.ts')
}

test('a file uses the modules that it imports, but not their types', () => {
  const others = Object.fromEntries(['b', 'c', 'd', 'e', 'f'].map((name) => [`apps/a/src/${name}.ts`, '']))
  const text = `
    import '~/b.ts'
    import c, { type D } from '~/c.ts'
    import type { D } from '~/d.ts'
    import { type E } from '~/e.ts'
    // import '~/e.ts'
    const f = () => import('~/f.ts')`

  assert.deepEqual(listUses(text, others), ['apps/a/src/b.ts', 'apps/a/src/c.ts', 'apps/a/src/f.ts'])
})

test('an imported name leads to the module that declares it, also through other modules and packages', () => {
  const others = {
    'packages/p/package.json': '{ "name": "@oxbow/p", "exports": { ".": "./src/index.ts" } }',
    'packages/p/src/index.ts': "export { b as c } from './b.ts'\nexport * from './d.ts'\n",
    'packages/p/src/b.ts': 'export const b = 1',
    'packages/p/src/d.ts': 'export function d() {}',
  }
  const use = (names: string) => listUses(`import ${names} from '@oxbow/p'`, others)

  assert.deepEqual(use('{ c, d }'), ['packages/p/src/b.ts', 'packages/p/src/d.ts'])
  assert.deepEqual(use('{ unknown }'), ['packages/p/src/index.ts'])
  assert.deepEqual(use('* as p'), ['packages/p/src/index.ts'])
})

test('an export with a pattern leads to the module that the import names', () => {
  const others = {
    'packages/p/package.json': '{ "name": "@oxbow/p", "exports": { "./calls/*": "./src/calls/*.ts" } }',
    'packages/p/src/calls/b.ts': 'export const b = 1',
    'packages/p/src/calls/c.ts': 'export const c = 1',
  }

  assert.deepEqual(listUses("import { b } from '@oxbow/p/calls/b'", others), ['packages/p/src/calls/b.ts'])
})

test('a file uses the files and folders without code that its strings name', () => {
  const others = {
    'apps/a/src/page.html': '',
    'apps/a/fixtures/one.json': '',
    'apps/a/test/helper.ts': '',
    'docs/operating/backup.md': '',
  }
  const text = `
    new URL('./page.html', import.meta.url)
    join(import.meta.dirname, '..', 'fixtures')
    readdirSync('../test')
    globSync('docs/operating/*.md')`

  assert.deepEqual([...listUses(text, others)].sort(), [
    'apps/a/fixtures/one.json',
    'apps/a/src/page.html',
    'docs/operating/backup.md',
  ])
})

test('a file that no code names is used by the code of the closest folder that has code', () => {
  const others = { 'apps/a/src/fixtures/one.json': '', 'apps/b/src/b.ts': '', 'docs/one.md': '' }

  assert.deepEqual(listUses('', others), ['apps/a/src/fixtures/one.json'])
})
