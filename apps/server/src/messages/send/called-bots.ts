import { BotType, type UserId } from '@oxbow/contract'
import { perNode } from '../../platform/per-node.ts'
import type { RenderedContent } from '../content/message-text.ts'
import type { RecipientState, TargetStream } from './preconditions.ts'

/**
 * Lists the outgoing webhooks that a message of a person calls: in a stream those that it mentions, in a
 * conversation the members. Messages of bots call none, because two bots could answer each other forever.
 */
export function listCalledBots(
  { bot_type }: { bot_type: BotType | null },
  to: TargetStream | readonly RecipientState[],
  { mentionedWebhooks }: Pick<RenderedContent, 'mentionedWebhooks'>,
): readonly UserId[] {
  if (bot_type !== null) return []
  if ('stream_post_policy' in to) return mentionedWebhooks
  return to.filter((person) => person.bot_type === BotType.outgoingWebhook).map(({ id }) => id)
}

/** Makes the node's loop that calls outgoing webhooks look for calls at once. Does nothing without a loop. */
export const webhookCallLoop = perNode<{ wake: () => void }>({
  name: 'alarm of outgoing webhooks',
  create: () => ({ wake: () => {} }),
})
