import type { Role } from '@oxbow/contract'
import type { Effect as LogEffect } from '../../../src/events/record.ts'
import { addMessage, archive, join, leave, reactivate } from '../model/changes.ts'
import { isReceived, type Kind, type Model, type Name } from '../model/model.ts'
import type { LoggedEvent, Transaction } from '../server/log.ts'
import type { TestedServer } from '../server/tested-server.ts'
import type { Step } from './replay.ts'
import { newMessagesIn } from './send-actions.ts'

/** Applies changes of users and streams, and messages of the notification bot, as recorded in the log. */
export function applyFromLog(server: TestedServer, transaction: Transaction): Step {
  return {
    label: `(log) ${transaction.map(describe).join(', ')}`,
    isPossible: () => true,
    mayBeLate: false,
    apply(model) {
      for (const logged of transaction) applyStreams(model, logged)
      const effects = transaction.flatMap(({ header }) => header.effects ?? [])
      for (const effect of effects) applyEffect(server, model, effect)
      applyNotices(server, model, transaction)
    },
  }
}

function describe({ type, event, header }: LoggedEvent): string {
  const effects = header.effects ? ` ${JSON.stringify(header.effects)}` : ''
  const change = event.property ? ` ${event.stream_id} ${event.property} ${event.value}` : ''
  return `${type} ${event.op ?? ''}${change}${effects}`
}

interface StreamFields {
  stream_id: number
  name: string
  invite_only: boolean
  history_public_to_subscribers: boolean
}

const kindOf = (isPrivate: unknown, isShared: unknown): Kind =>
  isPrivate ? (isShared ? 'shared' : 'protected') : 'public'

function applyStreams({ streams }: Model, { type, event }: LoggedEvent): void {
  if (type !== 'stream') return
  if (event.op === 'update' && event.property === 'invite_only') {
    const changed = streams.get(event.stream_id as number)
    if (changed) changed.kind = kindOf(event.value, event.history_public_to_subscribers)
  }
  if (event.op !== 'create') return
  // Streams that the model lacks were created under the name of a deleted stream.
  for (const stream of event.streams as StreamFields[]) {
    const { stream_id: id, name, invite_only, history_public_to_subscribers } = stream
    if (streams.has(id)) continue
    const kind = kindOf(invite_only, history_public_to_subscribers)
    streams.set(id, {
      id,
      name,
      kind,
      isArchived: false,
      members: new Set(),
      everMembers: new Set(),
      lastLeavers: new Set(),
    })
  }
}

function applyEffect(server: TestedServer, model: Model, effect: LogEffect): void {
  if (effect.kind === 'archive') archive(model, effect.stream)
  if (effect.kind === 'role') applyRole(model, server.personOf(effect.user), effect.role)
  if (effect.kind !== 'subscriptions') return
  const people = effect.users.map((id) => server.personOf(id))
  if (effect.subscribed) join(model, effect.stream, people)
  else leave(model, effect.stream, people)
}

function applyRole(model: Model, name: Name, role: Role | null): void {
  const account = model.accounts[name]
  if (role === null) {
    account.isActive = false
    return
  }
  account.role = role
  if (!account.isActive) reactivate(model, name)
}

function applyNotices(server: TestedServer, model: Model, transaction: Transaction): void {
  for (const logged of newMessagesIn(transaction)) {
    const { id, stream_id: stream, topic = '', content, rendered_content, header } = logged
    if (server.nameOf(logged.sender_id) !== 'notices') throw new Error(`nobody planned to send message ${id}`)
    const people = () => logged.display_recipient.map((person) => server.nameOf(person.id))
    const hasLink = rendered_content.includes('<a ')
    const message = addMessage(model, {
      id,
      sender: 'notices',
      to: stream === undefined ? { people: people() } : { stream, topic },
      text: { content, hasLink, mentions: [], mentionsAll: false, hasAlertWord: false, files: [] },
      claims: new Set(),
      isReadBySender: false,
    })
    // The user who caused the notice has read it already.
    for (const [user, flags] of Object.entries(header.flags ?? {})) {
      const name = server.personOf(Number(user))
      if (!flags.includes('read') || !isReceived(model, name, message)) continue
      message.unreadBy.delete(name)
      model.expectedEvents.at(-1)?.sent?.flags.set(name, ['read'])
    }
  }
}
