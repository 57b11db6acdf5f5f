import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { BotType } from '@oxbow/contract'
import { startWorld } from '@oxbow/testkit'
import { readMessages } from '@oxbow/testkit/calls/messages'
import { refusal } from '@oxbow/testkit/calls/requests'
import { deliver } from '@oxbow/testkit/calls/webhooks'
import { compilePattern } from './match-pattern.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')
await world.stream('garden', { members: [iris] })
const bot = await world.bot('hook', iris, BotType.incomingWebhook)

const patterns: [pattern: string, text: string, fits: boolean][] = [
  ['push', 'push', true],
  ['push', 'pushed', false],
  ['push', 'Push', false],
  ['pull_request*', 'pull_request_review', true],
  ['pull_request*', 'pull_request', true],
  ['*', '', true],
  ['*_*', 'issue_comment', true],
  ['*a*b', 'xaxbxab', true],
  ['*a*b', 'xaxbxa', false],
  ['issue?', 'issues', true],
  ['issue?', 'issue', false],
  ['[ip]s*', 'issues', true],
  ['[!ip]*', 'issues', false],
  ['[a-j]ssues', 'issues', true],
  ['[]]', ']', true],
  ['[!]]', ']', false],
  ['[', '[', true],
  ['[[]', '[', true],
  ['[]', '[]', true],
  ['[]a]', 'a', true],
  ['[]a', '[]a', true],
  ['[a]b[c', 'ab[c', true],
  ['[!', '[!', true],
  ['a.c', 'abc', false],
  ['🌹?', '🌹🌱', true],
]
for (const [pattern, text, fits] of patterns) {
  test(`the pattern ${pattern} ${fits ? 'matches' : 'does not match'} ${text}`, () => {
    assert.equal(compilePattern(pattern)(text), fits)
  })
}

test('a pattern with many stars is matched in bounded time', () => {
  const began = process.threadCpuUsage()
  assert.equal(compilePattern('*a'.repeat(500))(`${'a'.repeat(5_000)}b`), false)
  assert.ok(process.threadCpuUsage(began).user < 2_000_000)
})

test('a pattern of opening brackets is matched in little processor time', () => {
  const began = process.threadCpuUsage()
  assert.equal(compilePattern('['.repeat(60_000))('push'), false)
  assert.ok(process.threadCpuUsage(began).user < 200_000)
})

async function ping(query: Record<string, string>, integration = 'github') {
  const { status, body } = await deliver(world, {
    integration,
    bot,
    json: {
      zen: 'Keep it simple.',
      hook: { type: 'Repository' },
      repository: { name: 'beds' },
      featured_title: 'Roses',
      featured_url: 'https://example.com/roses',
    },
    query: { stream: 'garden', ...query },
    headers: { 'x-github-event': 'ping' },
  })
  return { status, body }
}

async function posts(query: Record<string, string>, integration?: string): Promise<boolean> {
  const count = async () => (await readMessages(iris, { stream: 'garden' })).length
  const before = await count()
  assert.equal((await ping(query, integration)).status, 200)
  return (await count()) > before
}

test("only events that match the URL's filters become messages", async () => {
  const list = (...names: string[]) => JSON.stringify(names)
  assert.equal(await posts({ only_events: list('push', 'p[hi]ng') }), true)
  assert.equal(await posts({ only_events: list('push') }), false)
  assert.equal(await posts({ only_events: list() }), false)
  assert.equal(await posts({ exclude_events: list('push') }), true)
  assert.equal(await posts({ exclude_events: list('*') }), false)
  assert.equal(await posts({ only_events: list('ping'), exclude_events: list('ping') }), false)
  // This integration's events have no names.
  assert.equal(await posts({ only_events: list('push') }, 'helloworld'), true)
  assert.equal(await posts({ only_events: '[' }, 'helloworld'), true)
})

test('filters that are not lists of strings are refused', async () => {
  const noJson = refusal('Argument "only_events" is not valid JSON.')
  assert.deepEqual(await ping({ only_events: 'push' }), noJson)
  for (const exclude_events of ['"push"', '[1]', '{}', 'null'])
    assert.deepEqual(
      await ping({ exclude_events }),
      refusal('exclude_events is not a list of names of events'),
    )
})

test('filters of more than 10,000 characters are refused, also in a form', async () => {
  const only_events = JSON.stringify(['push', '['.repeat(1_000_000)])
  const payload = {
    author_name: 'a',
    status_message: 'Passed',
    build_url: 'https://x.example/',
    type: 'push',
  }
  const { status, body } = await deliver(world, {
    integration: 'travis',
    bot,
    form: { payload: JSON.stringify(payload), only_events },
    query: { stream: 'garden' },
  })
  assert.deepEqual({ status, body }, refusal('only_events is too long (limit: 10000 characters)'))
})
