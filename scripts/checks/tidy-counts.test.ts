import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SourceFile } from './import-arrows.ts'
import {
  findMutualFolders,
  findSharedNames,
  findSmallModules,
  judgeCount,
  tidyCounts,
} from './tidy-counts.ts'

/** Makes files of `apps/web/src` from their texts. An `@` stands for the dots of a relative import. */
const filesOf = (texts: Record<string, string>): SourceFile[] =>
  Object.entries(texts).map(([name, text]) => ({
    path: name.includes('/src/') ? name : `apps/web/src/${name}`,
    text: text.replaceAll('@', '.'),
  }))

test('a module with few lines and one importer counts, unless it has a test or is a screen', () => {
  const files = filesOf({
    'a/main.ts':
      "import '@/once.ts'\nimport '@/twice.ts'\nimport '@/tested.ts'\nimport '@/Screen.tsx'\nimport '@/long.ts'\n",
    'a/other.ts': "import '@/twice.ts'\nimport '@/named.ts'\n",
    'a/once.ts': 'export const a = 1\n',
    'a/twice.ts': 'export const b = 1\n',
    'a/tested.ts': 'export const c = 1\n',
    'a/elsewhere.test.ts': "import '@/tested.ts'\n",
    'a/named.ts': '',
    'a/named.test.ts': '',
    'a/Screen.tsx': 'export const Screen = () => <ViewFrame />\n',
    'a/long.ts': 'const d = 1\n'.repeat(31),
  })

  assert.deepEqual(findSmallModules('web', files), ['apps/web/src/a/once.ts ← apps/web/src/a/main.ts'])
})

test('two folders that import each other are a pair, and files below them belong to them', () => {
  const files = filesOf({
    'a/one.ts': "import '@@/b/deep/two.ts'\nimport '@@/c/three.ts'\n",
    'b/deep/two.ts': "import type { A } from '@@/@@/a/one.ts'\n",
    'c/three.ts': '',
  })

  assert.deepEqual(findMutualFolders(files), ['a ⇄ b'])
})

test('a name that two modules of a package export for functions is shared', () => {
  const files = filesOf({
    'a/one.ts':
      'export async function load() {}\nexport const save = (a: number) => a\nexport const limit = 1\n',
    'b/two.ts': 'export function load() {}\nexport const save = async () => 1\nexport const limit = 2\n',
    'apps/server/src/load.ts': 'export function load() {}\n',
    'apps/server/src/load.d.ts': 'export function load(): void\n',
  })

  assert.deepEqual(findSharedNames(files), [
    'load: apps/web/src/a/one.ts, apps/web/src/b/two.ts',
    'save: apps/web/src/a/one.ts, apps/web/src/b/two.ts',
  ])
})

test('casts in the web client and entries of the server are counted', () => {
  const files = filesOf({
    'a/one.ts': 'const a = b as never\nconst c = d as unknown as E\nconst f = "as never" // g\n',
    'apps/server/src/drafts/a.ts': 'a as never\n',
    'apps/server/src/drafts/b.ts': '',
    'apps/server/src/node.ts': '',
  })
  const count = (part: string) => tidyCounts.find(({ name }) => name.includes(part))?.find(files).length

  assert.equal(count('casts'), 3)
  assert.equal(count('entries'), 2)
})

test('a count above its limit is a fault, and one below it asks for a lower limit', () => {
  const judge = (limit: number) => judgeCount({ name: 'pears', limit, goal: 0, find: () => ['a', 'b'] }, [])

  assert.deepEqual(judge(2), {})
  assert.match(judge(1).fault ?? '', /^pears: 2, but .* allows 1\n {2}a\n {2}b$/)
  assert.match(judge(3).advice ?? '', /^pears: only 2\. Lower the limit/)
})
