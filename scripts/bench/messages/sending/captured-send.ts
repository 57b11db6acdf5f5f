import type { api, ParamsOf } from '@oxbow/contract'
import type { Account } from '@oxbow/testkit'
import { messageRoutes } from '../../../../apps/server/src/messages/routes.ts'
import type { LargeOrganization } from '../../subscriptions/large-organization.ts'
import { openInProcessServer } from '../in-process-server.ts'

/** The SQL statement of a send as the server builds it; values are texts or null. */
export interface SendStatement {
  text: string
  values: (string | null)[]
}

/** Sends a message with the server's action and returns the SQL statement that it ran. */
export async function captureSend(
  organization: LargeOrganization,
  sender: Account,
  { type, topic, content, to }: { type: string; topic: string; content: string; to: string },
): Promise<SendStatement> {
  await using server = await openInProcessServer(organization)
  const actor = await server.actorOf(sender)
  const params = { type, topic, content, to: Number(to) } as ParamsOf<typeof api.messages.send>
  // Sends once before, because the first message of a stream needs other statements than later
  // ones.
  await messageRoutes.send(server.app, actor, params)
  const { statements } = await server.watch(() => messageRoutes.send(server.app, actor, params))
  const last = statements.at(-1)
  if (!last?.text.includes('send_message'))
    throw new Error('the last statement of a send is not the one that stores the message')
  return { text: last.text.trim(), values: last.values.map(asText) }
}

function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  // All arrays contain only numbers and booleans, which need no quotes.
  if (Array.isArray(value)) return `{${value.join()}}`
  return String(value)
}
