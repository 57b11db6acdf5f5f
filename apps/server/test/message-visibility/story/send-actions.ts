import assert from 'node:assert/strict'
import type { MessageId } from '@oxbow/contract'
import fc from 'fast-check'
import type { OutgoingMessage } from '../../../src/messages/send/post-message.ts'
import { addMessage, type Sending } from '../model/changes.ts'
import { canReadFile, type Model, type Name, type Text } from '../model/model.ts'
import { holdSend } from '../server/held-send.ts'
import type { Transaction } from '../server/log.ts'
import type { Plan, Scene } from './plan.ts'
import { people, pickStream, randomAction, someIndex, someone } from './random-action.ts'
import { type TextOptions, textOptions, write } from './texts.ts'

export const topic = fc.constantFrom('moles', 'Moles', 'weeds')
const isHeld = fc.nat({ max: 3 }).map((chance) => chance === 0)

const sendToStream = randomAction(
  'send',
  { by: someone, stream: someIndex, topic, text: textOptions, isHeld },
  ({ by, stream, topic, text: textOptions, isHeld, at }, scene) => {
    const { id, members } = pickStream(scene.model, stream)
    // Most users write to streams that they are subscribed to.
    const sender = stream % 3 === 0 ? by : ([...members][stream % Math.max(members.size, 1)] ?? by)
    const text = writeIn(scene, textOptions)
    const { content } = text
    return {
      label: `"${content}" to ${id} > ${topic}${isHeld ? ', held open' : ''}`,
      by: sender,
      call: ({ messages }) => messages.send({ type: 'stream', to: id, topic, content }),
      ...(isHeld &&
        holding(scene, sender, at, { recipient: { kind: 'stream', stream: id }, topic, content })),
      effect: sending(scene, { sender, to: { stream: id, topic }, text }),
      check: (response, states) => checkClaims(states, sender, text, (response as { id: number }).id),
    }
  },
)

const sendToPeople = randomAction(
  'tell',
  { by: someone, people, text: textOptions, isHeld },
  ({ by, people, text: textOptions, isHeld, at }, scene) => {
    const to = people.map((name) => scene.server.people[name].user_id as number)
    const text = writeIn(scene, textOptions)
    const { content } = text
    const everyone = [...new Set([...people, by])]
    return {
      label: `"${content}" to ${people}${isHeld ? ', held open' : ''}`,
      by,
      call: ({ messages }) => messages.send({ type: 'private', to, content }),
      ...(isHeld &&
        holding(scene, by, at, { recipient: { kind: 'people', people: to }, topic: '', content })),
      effect: sending(scene, { sender: by, to: { people: everyone }, text }),
      check: (response, states) => checkClaims(states, by, text, (response as { id: number }).id),
    }
  },
)

/**
 * Writes a text. Its mentions of users who are deactivated or reactivated in this round are
 * uncertain.
 */
function writeIn({ model, server, serial, unsettled }: Scene, textOptions: TextOptions): Text {
  return write(
    textOptions,
    serial,
    server.uris,
    (name) => unsettled.has(name) && !model.accounts[name].isActive,
  )
}

function holding({ model }: Scene, by: Name, at: Plan['at'], posted: OutgoingMessage): Pick<Plan, 'hold'> {
  return {
    hold: (server) =>
      holdSend(server.world.nodes[at].app, server.actor(by, at, model.accounts[by].role), posted),
  }
}

function sending(
  { server }: Scene,
  sending: Pick<Sending, 'to' | 'text'> & { sender: Name },
): Plan['effect'] {
  const idOf = (response: unknown) => (response as { id: MessageId }).id
  return {
    isIn: (transaction, response) => newMessagesIn(transaction).some(({ id }) => id === idOf(response)),
    isPossible: ({ accounts }) => accounts[sending.sender].isActive,
    apply: (model, transaction, response) =>
      addMessage(model, {
        ...sending,
        id: idOf(response),
        claims: new Set(sending.text.files.filter((uri) => changedFilesIn(transaction).has(uri))),
        isReadBySender: server.readsOwn(sending.sender),
      }),
  }
}

/** Returns the uploads whose owner got an event because messages began or ceased to refer to them. */
export function changedFilesIn(transaction: Transaction): Set<string> {
  return new Set(
    transaction.flatMap(({ type, event }) =>
      type === 'attachment' && event.op === 'update'
        ? [`/user_uploads/${(event.attachment as { path_id: string }).path_id}`]
        : [],
    ),
  )
}

/**
 * Asserts that the message refers exactly to the files in its text that its sender could read.
 * Nothing locks the sender's access, so the server may have decided by any state of the round.
 */
export function checkClaims(states: readonly Model[], sender: Name, { files }: Text, id: number): void {
  const hasText = ({ messages }: Model) => messages.get(id)?.text.files.join() === files.join()
  const claims = states.find(hasText)?.messages.get(id)?.claims
  if (!claims) return
  for (const uri of files) {
    const wasPossible = states.some((model) => canReadFile(model, sender, uri) === claims.has(uri))
    assert.ok(
      wasPossible,
      `message ${id} of ${sender} ${claims.has(uri) ? 'refers' : 'does not refer'} to ${uri}`,
    )
  }
}

/** Returns the new messages in a transaction of the log. */
export function newMessagesIn(transaction: Transaction) {
  return transaction.flatMap(({ type, event, header }) =>
    type === 'message' ? [{ ...(event.message as NewMessage), header }] : [],
  )
}

interface NewMessage {
  id: number
  sender_id: number
  stream_id?: number
  topic?: string
  content: string
  rendered_content: string
  display_recipient: { id: number }[]
}

export const sendActions = [
  { arbitrary: sendToStream, weight: 12 },
  { arbitrary: sendToPeople, weight: 4 },
]
