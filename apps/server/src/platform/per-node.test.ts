import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import type { App } from './app.ts'
import type { Log } from './observe/log.ts'
import { measureNodeState, NodeState, perNode } from './per-node.ts'

const makeApp = () => ({ state: new NodeState() }) as App

test('each node has its own state, which is created once and can be listed and measured', async () => {
  const getNames = perNode({
    name: 'names',
    create: () => new Set<string>(),
    countEntries: ({ size }) => size,
  })
  const [a, b] = [makeApp(), makeApp()]
  getNames(a).add('iris').add('otto')

  assert.deepEqual([getNames(a).size, getNames(b).size], [2, 0])
  assert.deepEqual(a.state.list(), [{ name: 'names', entries: 2 }])
  const registry = new Registry()
  measureNodeState(a.state, { registry } as never)
  assert.match(await registry.metrics(), /oxbow_node_state_entries\{state="names"\} 2/)
})

test('closing a node closes all of its state, even after one of them failed', async () => {
  const closed: string[] = []
  const warnings: object[] = []
  const app = makeApp()
  const slot = (name: string, close: () => Promise<void>) => perNode({ name, create: () => ({}), close })
  slot('broken', () => Promise.reject(new Error('no')))(app)
  slot('fine', async () => void closed.push('fine'))(app)

  await app.state.close({ warn: (fields: object) => warnings.push(fields) } as unknown as Log)

  assert.deepEqual(closed, ['fine'])
  assert.equal(warnings.length, 1)
})
