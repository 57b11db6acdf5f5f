import type { NewMessageEvent } from '@oxbow/contract'
import { toApiError } from './api-errors.ts'
import { buildClient, type Client } from './client.ts'
import { followQueue } from './events/follow-events.ts'
import type { ClientOptions } from './request.ts'

/** A message that a bot received. `content` is the Markdown source. */
export type ReceivedMessage = NewMessageEvent['message']

export interface MessageContext {
  message: ReceivedMessage
  /** Whether the message mentions the bot by name. */
  isMentioned: boolean
  /** Sends Markdown to the message's conversation. Resolves to the id of the new message. */
  reply(content: string): Promise<{ id: number }>
}

export type MessageHandler = (context: MessageContext) => unknown

export interface Bot {
  /** The client for all API calls as the bot. */
  readonly client: Client
  /**
   * Calls `handler` with every message that the bot receives: private messages, and messages in
   * streams that it is subscribed to. The bot's own messages are left out. Messages are handled one
   * after another.
   */
  onMessage(handler: MessageHandler): void
  /**
   * Receives messages until the signal is aborted. Reconnects if a connection fails. Rejects with
   * the error of a handler, or if the server does not accept the bot.
   */
  run(options?: { signal?: AbortSignal }): Promise<void>
}

const registration = { event_types: ['message'], fetch_event_types: ['realm_user'], apply_markdown: false }

export function createBot(options: ClientOptions): Bot {
  const caller = { ...options, toError: toApiError }
  const client = buildClient(caller)
  const handlers: MessageHandler[] = []
  return {
    client,
    onMessage: (handler) => void handlers.push(handler),
    async run({ signal } = {}) {
      const { user_id } = await client.users.me({}, { signal })
      const follower = followQueue(caller, { registration, ...(signal && { signal }) })
      for await (const followed of follower) {
        if (followed.kind !== 'event' || followed.event.type !== 'message') continue
        const { message, flags } = followed.event
        if (message.sender_id === user_id) continue
        const reply = (content: string) =>
          client.messages.send({ ...conversationOf(message, user_id), content })
        for (const handler of handlers)
          await handler({ message, isMentioned: flags.includes('mentioned'), reply })
      }
    },
  }
}

/** Returns the recipients of a reply: the message's topic, or the other people of its conversation. */
const conversationOf = (message: ReceivedMessage, ownId: number) =>
  message.type === 'stream'
    ? ({ type: 'stream', to: message.stream_id, topic: message.subject } as const)
    : ({
        type: 'private',
        to: message.display_recipient.map(({ id }) => id).filter((id) => id !== ownId),
      } as const)
