import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextSize } from './find-limit.ts'
import { ResponseParser } from './http-connection.ts'
import { describeLadder, type Rung } from './ladder.ts'
import { listScenarios, loadScenario } from './scenario.ts'

test('every scenario is valid and has a judged phase', () => {
  assert.ok(listScenarios().length > 0)
  for (const name of listScenarios())
    assert.ok(
      loadScenario(name).day.some(({ isJudged }) => isJudged),
      name,
    )
})

test('the organization of a scenario has everyone who is online', () => {
  assert.equal(loadScenario('working-day', { people: 5_000 }).organization.people, 5_000)
  assert.equal(loadScenario('working-day', { people: 50 }).organization.people, 2_000)
})

test('a response is whole however its bytes are divided, with a length and in chunks', () => {
  const head = 'HTTP/1.1 200 OK\r\n'
  for (const response of [
    `${head}Content-Length: 5\r\n\r\nroses`,
    `${head}Transfer-Encoding: chunked\r\n\r\n3\r\nros\r\n2\r\nes\r\n0\r\n\r\n`,
  ])
    for (const size of [1, 7, response.length]) {
      const parser = new ResponseParser()
      const pieces = Array.from({ length: Math.ceil(response.length / size) }, (_, index) =>
        response.slice(index * size, (index + 1) * size),
      )
      const answers = pieces.map((piece) => parser.push(piece))
      assert.deepEqual(answers.at(-1), { status: 200, body: 'roses' })
      assert.ok(answers.slice(0, -1).every((answer) => answer === undefined))
    }
})

test('the search for the limit grows, shrinks if the first size is too large, and then halves', () => {
  const unlimited = Number.POSITIVE_INFINITY
  assert.equal(nextSize(1_000, unlimited), 1_400)
  assert.equal(nextSize(0, 1_400), 1_000)
  assert.equal(nextSize(1_000, 1_400), 1_200)
})

test('a ladder predicts its largest size from the two before', () => {
  const rung = (people: number, node: number): Rung => ({
    people,
    node,
    postgres: node,
    lagP99: 10,
    deliveriesPerSend: 40,
  })
  const lines = describeLadder([rung(250, 0.1), rung(500, 0.2), rung(1_000, 0.5)])
  assert.match(lines.at(-1) ?? '', /^1000 people.*node 0\.4 predicted, 0\.5 measured/)
  assert.equal(describeLadder([rung(250, 0.1)]).length, 1)
})
