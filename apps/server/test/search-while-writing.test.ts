import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { bySize } from '@oxbow/testkit/size'
import { pickRandom } from './pick-random.ts'

const words = ['zinnia', 'yarrow', 'lupine', 'teasel'] as const
const searches = bySize({ gate: 20, long: 2_000 })
/** Writers that work at the same time. */
const writerCount = 6

/** A state of a message, from the start of the request that caused it. */
interface State {
  startedAt: number
  /** Infinity until the request is answered. */
  answeredAt: number
  text: string
  isInGarden: boolean
}

test('a search of a stream finds exactly its matches while messages are sent, edited, moved and deleted', async () => {
  // It skips millions of message ids, and the sequence is shared by all worlds of a server.
  await using world = await startWorld({ ownServer: true })
  const { owner } = world
  const iris = await world.person('iris')
  // At full size the test may run longer than the time in which messages can be edited.
  await setOrganizationRules(world, 'message_content_edit_limit_seconds = 0')
  const garden = await world.stream('garden', { members: [iris, owner] })
  const shed = await world.stream('shed', { members: [owner] })
  const streams = [garden, shed]
  const histories = new Map<MessageId, State[]>()
  const busy = new Set<MessageId>()
  const writeText = () => `${pickRandom(words)} and ${pickRandom(words)}`

  /** Runs a change of a message, and records when it was requested and answered. */
  async function change(id: MessageId, state: Partial<State>, request: () => Promise<unknown>) {
    const states = histories.get(id) as State[]
    const next = { ...(states.at(-1) as State), ...state, startedAt: performance.now(), answeredAt: Infinity }
    states.push(next)
    await request()
    next.answeredAt = performance.now()
  }
  async function send() {
    const [stream, text] = [pickRandom(streams), writeText()]
    const startedAt = performance.now()
    const id = await sendToStream(owner, stream, 'plants', text)
    // The id is known only now, so searches that started earlier do not expect the message.
    const answeredAt = performance.now()
    const absent = { startedAt: 0, answeredAt: 0, text: '', isInGarden: false }
    histories.set(id, [absent, { startedAt, answeredAt, text, isInGarden: stream === garden }])
  }
  async function changeOne() {
    const id = pickRandom([...histories.keys()].filter((key) => !busy.has(key)))
    if (id === undefined) return
    busy.add(id)
    const kind = pickRandom(['edit', 'edit', 'move', 'delete'])
    if (kind === 'edit') {
      const text = writeText()
      await change(id, { text }, () => owner.messages.edit({ message_id: id, content: text }))
    } else if (kind === 'move') {
      const stream = pickRandom(streams)
      const move = { message_id: id, stream_id: stream.stream_id, propagate_mode: 'change_one' } as const
      await change(id, { isInGarden: stream === garden }, () => owner.messages.edit(move))
    } else {
      await change(id, { isInGarden: false }, () => owner.messages.remove({ message_id: id }))
      // Stays busy, because a deleted message cannot be changed again.
      return
    }
    busy.delete(id)
  }

  let isEnded = false
  async function write(_: unknown, writer: number) {
    while (!isEnded) {
      if (histories.size < 40 || Math.random() < 0.4) await send()
      else await changeOne()
      // Only messages with distant ids are found by the index. One writer skips ids, because a sequence cannot be
      // read and set in one step.
      if (writer === 0 && Math.random() < 0.4)
        await world.database.query(`select setval('message_id', last_value + 7000) from message_id`)
    }
  }
  const writers = Promise.all(Array.from({ length: writerCount }, write))
  writers.catch(() => {})
  try {
    for (let count = 0; count < searches; count++) {
      const word = pickRandom(words)
      const startedAt = performance.now()
      const found = await findAll(iris, word, count % 2 === 0 ? 'a' : 'b')
      check(histories, { word, found, startedAt, endedAt: performance.now() })
    }
  } finally {
    isEnded = true
    await writers
  }
  for (const word of words) {
    const [startedAt, found] = [performance.now(), await findAll(iris, word, 'b')]
    check(histories, { word, found, startedAt, endedAt: startedAt })
  }
})

async function findAll(reader: Person, word: string, node: 'a' | 'b'): Promise<Set<MessageId>> {
  const narrow = [
    { operator: 'stream', operand: 'garden' },
    { operator: 'search', operand: word },
  ]
  const page = { anchor: 'newest', num_before: 5_000, num_after: 0, apply_markdown: false, narrow }
  const { messages } = await reader.on(node).messages.list(page)
  for (const { content } of messages) assert.ok(content.includes(word), `found "${content}" for ${word}`)
  const ids = messages.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length, 'no message is found twice')
  return new Set(ids)
}

interface FinishedSearch {
  word: string
  found: ReadonlySet<MessageId>
  startedAt: number
  endedAt: number
}

/** Checks that the search agrees with one of the states that each message may have had during the search. */
function check(
  histories: ReadonlyMap<MessageId, readonly State[]>,
  { word, found, startedAt, endedAt }: FinishedSearch,
): void {
  for (const [id, states] of histories) {
    const possible = states.filter((state, index) => {
      const next = states[index + 1]
      return state.startedAt <= endedAt && (next === undefined || next.answeredAt >= startedAt)
    })
    const matches = possible.map(({ text, isInGarden }) => isInGarden && text.includes(word))
    const isFound = found.has(id)
    assert.ok(
      matches.includes(isFound),
      `message ${id} was ${isFound ? '' : 'not '}found for ${word}: ${JSON.stringify(possible)}`,
    )
  }
}
