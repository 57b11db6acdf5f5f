import type { api, ParamsOf } from '@oxbow/contract'
import type { Account } from '@oxbow/testkit'
import { messageRoutes } from '../../../../apps/server/src/messages/routes.ts'
import type { Village } from '../../subscriptions/village.ts'
import { openWorkshop } from '../workshop.ts'

/** The statement that sends a message, as the server made it; values are texts or null. */
export interface SendStatement {
  text: string
  values: (string | null)[]
}

/** Sends a message as the server does, to see how it does that. */
export async function captureSend(
  village: Village,
  sender: Account,
  { type, topic, content, to }: { type: string; topic: string; content: string; to: string },
): Promise<SendStatement> {
  await using workshop = await openWorkshop(village)
  const actor = await workshop.actorOf(sender)
  const given = { type, topic, content, to: Number(to) } as ParamsOf<typeof api.messages.send>
  // The first message of a stream says more than others.
  await messageRoutes.send(workshop.app, actor, given)
  const { statements } = await workshop.watch(() => messageRoutes.send(workshop.app, actor, given))
  const last = statements.at(-1)
  if (!last?.text.includes('send_message')) throw new Error('sending ends with the statement that sends')
  return { text: last.text.trim(), values: last.values.map(asText) }
}

function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  // Of numbers and truth values only.
  if (Array.isArray(value)) return `{${value.join()}}`
  return String(value)
}
