import assert from 'node:assert/strict'
import type { api, ResponseOf } from '@oxbow/contract'
import type { State } from '@oxbow/sdk'
import { describeMessage, everything } from '../checks/listed.ts'
import { isReadable, isReceived, type Message, type Model, showsHistory, streamOf } from '../model/model.ts'
import { checkKept, stateTypes } from '../server/states.ts'
import { pickStream, some, someone, wish } from './wish.ts'

/**
 * Reads messages during other actions: the response has nothing that was never visible, and everything that
 * was visible throughout.
 */
const look = wish('look', { by: someone, stream: some }, ({ by, stream }, { model }) => {
  const { id } = pickStream(model, stream)
  const isSeen = (state: Model, message: Message) => {
    if (message.people || message.streamId !== id) return false
    return showsHistory(state, by, streamOf(state, id))
      ? isReadable(state, by, message)
      : isReceived(state, by, message)
  }
  return {
    label: `at ${id}`,
    by,
    call: ({ messages }) =>
      messages.list({ ...everything, narrow: [{ operator: 'stream', operand: id, negated: false }] }),
    check(response, states) {
      const shown = (response as ResponseOf<typeof api.messages.list>).messages.map(
        (message) => message.id as number,
      )
      const last = states.at(-1) as Model
      const seenIn = (state: Model) =>
        new Set(
          [...state.messages.values()]
            .filter((message) => isSeen(state, message))
            .map((message) => message.id),
        )
      const visibleIds = states.map(seenIn)
      const always = visibleIds.reduce((all, ids) => all.intersection(ids))
      const ever = visibleIds.reduce((all, ids) => all.union(ids))
      const describeAll = (ids: Iterable<number>) => [...ids].map((id) => describeMessage(last, by, id))
      const missing = always.difference(new Set(shown))
      assert.deepEqual(describeAll(missing), [], `${by} looked at ${id} and did not see this`)
      assert.deepEqual(
        describeAll(shown.filter((id) => !ever.has(id))),
        [],
        `${by} looked at ${id} and saw this`,
      )
    },
  }
})

/** Registers a queue during other actions: its state and its later events add up. */
const arrive = wish('arrive', { by: someone }, ({ by, at }, { real }) => ({
  label: '',
  by,
  call: ({ events }) => events.register({ event_types: stateTypes }),
  async check(response, states) {
    const isGone = states.some(({ accounts }) => !accounts[by].isActive)
    const last = states.at(-1) as Model
    const client = real.client(by, at)
    if (isGone) return
    const fresh = await client.events.register({ event_types: stateTypes })
    await checkKept(client, by, response as State, fresh, last)
  },
}))

export const lookWishes = [
  { arbitrary: look, weight: 3 },
  { arbitrary: arrive, weight: 1 },
]
