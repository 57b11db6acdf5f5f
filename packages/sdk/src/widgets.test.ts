import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Submessage, SubmessageEvent, UserId } from '@oxbow/contract'
import fc from 'fast-check'
import { applySubmessage } from './state/submessages.ts'
import { type Poll, readWidget } from './widgets.ts'

const author = 10 as UserId

/**
 * Creates a message whose submessages have ids from 1 on: first the widget's start, then the given
 * actions.
 */
function messageWith(start: unknown, ...actions: [sender: number, content: unknown][]) {
  const all: [number, unknown][] = [[author, start], ...actions]
  const submessages = all.map(([sender_id, content], index) => ({
    ...{ id: index + 1, message_id: 7, sender_id, msg_type: 'widget' },
    content: typeof content === 'string' ? content : JSON.stringify(content),
  })) as Submessage[]
  return { sender_id: author, submessages }
}

const poll = (options: string[] = ['Roses', 'Tulips']) => ({
  widget_type: 'poll',
  extra_data: { question: 'Which?', options },
})
const vote = (key: string, value = 1) => ({ type: 'vote', key, vote: value })
const voters = (message: ReturnType<typeof messageWith>) =>
  Object.fromEntries((readWidget(message) as Poll).options.map((option) => [option.text, option.voters]))

test('a poll counts the last vote of each account for each option', () => {
  const message = messageWith(
    poll(),
    [12, vote('canned,0')],
    [11, vote('canned,0')],
    [12, vote('canned,1')],
    [12, vote('canned,0', -1)],
    [11, vote('canned,0')],
    [13, vote('canned,9')],
  )

  assert.deepEqual(readWidget(message), {
    type: 'poll',
    question: 'Which?',
    options: [
      { key: 'canned,0', text: 'Roses', voters: [11] },
      { key: 'canned,1', text: 'Tulips', voters: [12] },
    ],
  })
})

test('everyone may add options to a poll, and only its author may change the question', () => {
  const message = messageWith(
    { widget_type: 'poll', extra_data: null },
    [11, { type: 'new_option', idx: 1, option: 'Figs' }],
    [12, vote('11,1')],
    [12, { type: 'question', question: 'Mine now?' }],
    [author, { type: 'question', question: 'What else?' }],
    [11, { type: 'new_option', idx: 2, option: 'Quinces' }],
  )

  assert.equal((readWidget(message) as Poll).question, 'What else?')
  assert.deepEqual(voters(message), { Figs: [12], Quinces: [] })
})

test('an option that is added again under its key loses its votes', () => {
  const message = messageWith(
    poll([]),
    [11, { type: 'new_option', idx: 1, option: 'Figs' }],
    [12, vote('11,1')],
    [11, { type: 'new_option', idx: 1, option: 'Nettles' }],
  )

  assert.deepEqual(voters(message), { Nettles: [] })
})

test('a to-do list ignores tasks with an existing name, and a strike toggles completion', () => {
  const task = (key: number, text: string) => ({
    ...{ type: 'new_task', key, task: text },
    ...{ desc: '', completed: false },
  })
  const message = messageWith(
    { widget_type: 'todo', extra_data: null },
    [11, task(1, 'Weed')],
    [12, task(1, 'Weed')],
    [12, task(2, 'Water')],
    [11, { type: 'strike', key: '2,12' }],
    [11, { type: 'strike', key: '1,11' }],
    [12, { type: 'strike', key: '1,11' }],
    [12, { type: 'strike', key: '1,12' }],
  )

  assert.deepEqual(readWidget(message), {
    type: 'todo',
    tasks: [
      { key: '1,11', text: 'Weed', description: '', isCompleted: false },
      { key: '2,12', text: 'Water', description: '', isCompleted: true },
    ],
  })
})

test('a form shows its heading and choices', () => {
  const choices = [{ short_name: 'A', long_name: 'Apples', reply: 'pick apples' }]
  const extra_data = { type: 'choices', heading: 'Pick', choices }

  assert.deepEqual(readWidget(messageWith({ widget_type: 'zform', extra_data })), {
    ...{ type: 'zform', heading: 'Pick' },
    choices,
  })
})

test('a message has no widget unless its sender added a well-formed first submessage', () => {
  const started = messageWith(poll())
  const [start] = started.submessages as [Submessage]
  const with1 = (change: Partial<Submessage>) => ({ ...started, submessages: [{ ...start, ...change }] })

  assert.equal(readWidget({ ...started, submessages: [] }), undefined)
  assert.equal(readWidget(with1({ sender_id: 11 as UserId })), undefined)
  assert.equal(readWidget(with1({ msg_type: 'other' })), undefined)
  for (const content of ['', '{', 'null', '7', '[]', '{}', '{"widget_type":"__proto__"}'])
    assert.equal(readWidget(with1({ content })), undefined, content)
})

test('malformed submessages do not change a poll', () => {
  const hostile = [
    '{"__proto__":{"type":"vote"},"key":"canned,0","vote":1}',
    '{"type":"__proto__","key":"canned,0","vote":1}',
    '{"type":"constructor"}',
    '{"type":"vote","key":"__proto__","vote":1}',
    '{"type":"vote","key":"canned,0","vote":1000000}',
    '{"type":"vote","key":["canned,0"],"vote":1}',
    '{"type":"vote","key":"canned,0","vote":1,"__proto__":null}',
    '{"type":"new_option","idx":-1,"option":"x"}',
    '{"type":"new_option","idx":"__proto__","option":"x"}',
    '{"type":"new_option","idx":1,"option":{"toString":1}}',
    `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
    'not JSON',
  ]
  const message = messageWith(poll(), ...hostile.map((content) => [11, content] as [number, string]))

  assert.deepEqual(readWidget(message), readWidget(messageWith(poll())))
  assert.equal(({} as { type?: string }).type, undefined)
})

const accounts = Array.from({ length: 20 }, (_, index) => 11 + index)
const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('vote'),
      key: fc.constantFrom('canned,0', 'canned,1', '11,1', '12,1'),
      vote: fc.constantFrom(1, -1),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('new_option'), idx: fc.nat({ max: 2 }), option: fc.string() }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('question'), question: fc.string() }) },
)
const cast = fc.tuple(fc.constantFrom(author, ...accounts), action)

test('clients that receive the same submessages in different orders show the same poll', () => {
  const property = fc.property(
    fc.array(cast, { maxLength: 60, size: 'max' }),
    fc.array(fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), { minLength: 2, maxLength: 5 }),
    (actions, orders) => {
      const complete = messageWith(poll(), ...actions)
      const shown = orders.map((numbers) => {
        const events = complete.submessages.map(toEvent)
        // Some events arrive twice, as after a poll whose response was lost.
        const arrivals = [...events, ...events.filter((_, index) => index % 3 === 0)]
          .map((event) => ({ event, at: numbers.next().value as number }))
          .sort((a, b) => a.at - b.at)
        const submessages = arrivals.reduce(
          (list, { event }) => applySubmessage(list, event),
          [] as readonly Submessage[],
        )
        return readWidget({ sender_id: author, submessages: [...submessages] })
      })
      for (const widget of shown) assert.deepEqual(widget, readWidget(complete))
      assert.deepEqual(voters(complete), expectedVoters(actions))
    },
  )
  fc.assert(property, { numRuns: 100 })
})

const toEvent = ({ id: submessage_id, ...fields }: Submessage, index: number) =>
  ({ id: index, type: 'submessage', submessage_id, ...fields }) as SubmessageEvent

/** Counts votes from the last action to the first: the newest action for an option and account decides. */
function expectedVoters(actions: readonly (readonly [number, Record<string, unknown>])[]) {
  const texts = new Map([
    ['canned,0', { text: 'Roses', since: -1 }],
    ['canned,1', { text: 'Tulips', since: -1 }],
  ])
  for (const [since, [sender, given]] of actions.entries())
    if (given.type === 'new_option')
      texts.set(`${sender},${given.idx}`, { text: given.option as string, since })
  const votesFor = (key: string, since: number) => {
    const later = actions.slice(since + 1).filter(([, given]) => given.type === 'vote' && given.key === key)
    const isFor = (account: number) => later.findLast(([sender]) => sender === account)?.[1].vote === 1
    return [author, ...accounts].filter(isFor)
  }
  return Object.fromEntries([...texts].map(([key, { text, since }]) => [text, votesFor(key, since)]))
}
