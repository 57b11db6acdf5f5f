import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { startWorld } from '@oxbow/testkit'
import { coverageDocument, listReferenceRoutes } from '../../../scripts/generate/api-coverage.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const routes = listReferenceRoutes()

/** Returns the methods that a node allows for a path; none if it does not know the path. */
async function listAllowed(path: string): Promise<string[]> {
  const url = `${world.nodes.a.url}/api/v1/${path.replace(/\{email\}/, 'iris@garden.example').replace(/\{[^}]+\}/g, '7')}`
  const { headers } = await fetch(url, { method: 'OPTIONS' })
  return headers.get('allow')?.split(', ') ?? []
}

test('all 134 routes of the protocol are in the table, each as served or with the reason why it is not served', () => {
  assert.equal(routes.length, 134)
  const isUnexplained = ({ servedBy, remark }: (typeof routes)[number]) => !servedBy && !remark
  assert.deepEqual(routes.filter(isUnexplained), [])
})

test('a node serves exactly the routes that the table lists as served', async () => {
  for (const { method, path, servedBy } of routes) {
    const allowed = await listAllowed(path)
    assert.equal(
      allowed.includes(method === 'any' ? 'GET' : method),
      servedBy !== undefined,
      `${method} ${path}`,
    )
  }
})

test('docs/api/coverage.md matches the table generated from the contract', () => {
  const file = new URL('../../../docs/api/coverage.md', import.meta.url)
  assert.equal(readFileSync(file, 'utf8'), coverageDocument(), 'run npm run docs')
})
