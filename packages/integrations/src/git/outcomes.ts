import type { Outcome } from '../kernel/outcome.ts'
import { link } from '../markdown/text.ts'

/** Sets the event of messages that have none. */
export function withEvent(outcome: Outcome, event: string): Outcome {
  if (outcome.kind !== 'messages') return outcome
  return { ...outcome, messages: outcome.messages.map((message) => ({ event, ...message })) }
}

/** Begins messages with a link to their repository, for topics that do not show it. */
export function withRepository(outcome: Outcome, name: string, url: string | undefined): Outcome {
  if (outcome.kind !== 'messages') return outcome
  const messages = outcome.messages.map((message) => ({
    ...message,
    content: `[${link(name, url)}] ${message.content}`,
  }))
  return { ...outcome, messages }
}
