import assert from 'node:assert/strict'
import { ApiError, type MessageId } from '@oxbow/contract'
import type { Client } from '@oxbow/sdk'
import { isReadable, type Message, shownEdits } from '../model/model.ts'
import type { Viewer } from '../model/narrows.ts'
import { describeMessage } from './listed.ts'

/** Checks a message by its id: only users who may read it can see its source and edit history. */
export async function checkMessage(viewer: Viewer, client: Client, id: number): Promise<void> {
  const { model, name } = viewer
  const message = model.messages.get(id)
  const message_id = id as MessageId
  const raw = await orHidden(client.messages.getRaw({ message_id }))
  const past = await orHidden(client.messages.history({ message_id }))
  const about = `${name} and the message ${describeMessage(model, name, id)}`
  if (!message || !isReadable(model, name, message)) {
    assert.equal(raw, undefined, `${about}, whose text was told`)
    assert.equal(past, undefined, `${about}, whose past was told`)
    return
  }
  assert.equal(raw?.raw_content, message.text.content, about)
  const versions = past?.message_history.map(
    ({ content, topic, user_id, prev_content, prev_topic, prev_stream }) => ({
      ...{ content, topic, user_id: user_id as number },
      ...{ prev_content, prev_topic, prev_stream: prev_stream as number | undefined },
    }),
  )
  assert.deepEqual(versions, versionsOf(viewer, message), about)
}

async function orHidden<Result>(call: Promise<Result>): Promise<Result | undefined> {
  return call.catch((error: unknown) => {
    if (error instanceof ApiError && error.is('INVALID_MESSAGE')) return undefined
    throw error
  })
}

/**
 * Returns the versions of a message from the oldest to the newest, reconstructed from its edits. A topic
 * or stream that changed with an edit of another message is not recorded.
 */
function versionsOf({ model, name, idOf }: Viewer, message: Message) {
  let { topic } = message
  let { content } = message.text
  const edits = shownEdits(model, name, message)
    .toReversed()
    .map(({ by, previousContent, previousTopic, previousStream }) => {
      const version = {
        ...{ content, topic, user_id: idOf(by) },
        ...{ prev_content: previousContent, prev_topic: previousTopic, prev_stream: previousStream },
      }
      topic = previousTopic ?? topic
      content = previousContent ?? content
      return version
    })
  const first = { content, topic, user_id: idOf(message.sender) }
  const withoutPrevious = { prev_content: undefined, prev_topic: undefined, prev_stream: undefined }
  return [{ ...first, ...withoutPrevious }, ...edits.toReversed()]
}
