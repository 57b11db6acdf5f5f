import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { startNode } from '@oxbow/server'
import { patientLimits, postFrom, startStopwatch, startWorld } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'

const isLong = bySize({ gate: false, long: true })
const size = isLong ? { seconds: 60, signIns: 100 } : { seconds: 4, signIns: 10 }
const triesPerMinute = 1_000
const maxP95Ms = 2_000
const addresses = Array.from({ length: 100 }, (_, index) => `127.0.9.${index + 1}`)

test('an owner signs in quickly from a known address while a hundred addresses guess the password', async () => {
  await using world = await startWorld({ ownServer: true })
  const { owner } = world
  // Other test nodes hash passwords cheaply; this node hashes at the production cost.
  const node = await startNode(
    { ...world.nodes.a.app.config, port: 0 },
    { ...patientLimits, logTo: world.log },
  )
  const url = `${node.url}/api/v1/fetch_api_key`
  const password = 'plum tree 52 garden'
  let isOver = false
  try {
    const { old, email } = { old: owner.password, email: owner.email }
    const changed = await fetch(`${node.url}/api/v1/settings`, {
      method: 'PATCH',
      headers: { authorization: `Basic ${btoa(`${email}:${owner.api_key}`)}` },
      body: new URLSearchParams({ old_password: old, new_password: password }),
    })
    assert.equal(changed.status, 200)

    const guesses: Promise<number>[] = []
    const attack = (async () => {
      for (let count = 0; !isOver; count++) {
        const from = addresses[count % addresses.length] ?? ''
        guesses.push(
          postFrom(from, url, { username: email, password: `guess ${count}` }).then(({ status }) => status),
        )
        await setTimeout(60_000 / triesPerMinute)
      }
    })()
    await using stopwatch = startStopwatch(world.database)
    const measureP95 = async () => {
      const times: number[] = []
      for (let count = 0; count < size.signIns; count++) {
        const startedMs = stopwatch.elapsedMs()
        const { status } = await postFrom('127.0.0.1', url, { username: email, password })
        assert.equal(status, 200)
        times.push(stopwatch.elapsedMs() - startedMs)
        await setTimeout((size.seconds * 1_000) / size.signIns)
      }
      return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
    }
    // Measures again after a slow result, because other programs can slow the machine for some
    // seconds. If guesses delayed the owner, every round would be slow.
    let p95 = await measureP95()
    for (let round = 1; round < 4 && p95 >= maxP95Ms; round++) p95 = Math.min(p95, await measureP95())
    isOver = true
    await attack
    const statuses = await Promise.all(guesses)

    assert.ok(p95 < maxP95Ms, `p95 is ${p95} ms`)
    assert.ok(guesses.length > size.seconds * 8, `${guesses.length} guesses`)
    assert.ok(statuses.every((status) => status === 403 || status === 429))
  } finally {
    isOver = true
    await node.stop()
  }
})
