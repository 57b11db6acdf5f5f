import assert from 'node:assert/strict'
import { isAdministrator } from '@oxbow/contract'
import {
  isChangeable,
  isPublic,
  isReadable,
  type Message,
  type Model,
  type Name,
  names,
  streamOf,
} from './model.ts'

/** Returns whether the user may make a change to the message, in organizations without other limits. */
export type MayChange = (model: Model, name: Name, message: Message) => boolean

/** Returns whether the user may move the message to another public stream. */
export const isMovable: MayChange = (model, name, message) =>
  !message.people &&
  isAdministrator(model.accounts[name].role) &&
  isPublic(streamOf(model, message.streamId)) &&
  isChangeable(model, name, message)

/**
 * Makes a change, and asserts the rule that it hides no message from a user who could have made the
 * change too. A deletion is not hiding.
 */
export function assertHidesNothing(model: Model, mayChange: MayChange, change: () => void): void {
  const pairs = [...model.messages.values()].flatMap((message) =>
    names.filter((name) => mayChange(model, name, message)).map((name) => ({ name, message })),
  )
  change()
  for (const { name, message } of pairs) {
    if (!model.messages.has(message.id)) continue
    assert.ok(isReadable(model, name, message), `the change hides message ${message.id} from ${name}`)
  }
}
