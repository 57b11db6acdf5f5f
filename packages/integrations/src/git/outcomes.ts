import type { Outcome } from '../kernel/outcome.ts'
import { link } from '../markdown/text.ts'

/** Sets the event name of all messages that have none. */
export function withEvent(outcome: Outcome, event: string): Outcome {
  if (outcome.kind !== 'messages') return outcome
  return { ...outcome, messages: outcome.messages.map((message) => ({ event, ...message })) }
}

/** Adds a link to the repository in front of every message, for topics that do not show the repository. */
export function withRepository(outcome: Outcome, name: string, url: string | undefined): Outcome {
  if (outcome.kind !== 'messages') return outcome
  const messages = outcome.messages.map((message) => ({
    ...message,
    content: `[${link(name, url)}] ${message.content}`,
  }))
  return { ...outcome, messages }
}
