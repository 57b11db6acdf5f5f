import assert from 'node:assert/strict'
import type { api, ResponseOf } from '@oxbow/contract'
import type { State } from '@oxbow/sdk'
import { describeMessage, everything } from '../checks/listed.ts'
import { isReadable, isReceived, type Message, type Model, showsHistory, streamOf } from '../model/model.ts'
import { checkKept, stateTypes } from '../server/states.ts'
import { pickStream, randomAction, someIndex, someone } from './random-action.ts'

/**
 * Reads messages during other actions. The response must contain every message that was visible during
 * the whole round, and no message that was never visible.
 */
const readStream = randomAction('read', { by: someone, stream: someIndex }, ({ by, stream }, { model }) => {
  const { id } = pickStream(model, stream)
  const isSeen = (state: Model, message: Message) => {
    if (message.people || message.streamId !== id) return false
    return showsHistory(state, by, streamOf(state, id))
      ? isReadable(state, by, message)
      : isReceived(state, by, message)
  }
  return {
    label: `stream ${id}`,
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
      assert.deepEqual(describeAll(missing), [], `${by} read stream ${id} and did not get this`)
      assert.deepEqual(
        describeAll(shown.filter((id) => !ever.has(id))),
        [],
        `${by} read stream ${id} and got this`,
      )
    },
  }
})

/**
 * Registers a queue during other actions. Its state and its later events must add up to the final
 * state.
 */
const registerQueue = randomAction('register', { by: someone }, ({ by, at }, { server }) => ({
  label: '',
  by,
  call: ({ events }) => events.register({ event_types: stateTypes }),
  async check(response, states) {
    const wasDeactivated = states.some(({ accounts }) => !accounts[by].isActive)
    const last = states.at(-1) as Model
    const client = server.client(by, at)
    if (wasDeactivated) return
    const fresh = await client.events.register({ event_types: stateTypes })
    await checkKept(client, by, response as State, fresh, last)
  },
}))

export const readActions = [
  { arbitrary: readStream, weight: 3 },
  { arbitrary: registerQueue, weight: 1 },
]
