import type { Outcome } from '../kernel/outcome.ts'
import { link } from '../markdown/text.ts'

/** Messages that do not name their event get this one. */
export function withEvent(outcome: Outcome, event: string): Outcome {
  if (outcome.kind !== 'messages') return outcome
  return { ...outcome, messages: outcome.messages.map((said) => ({ event, ...said })) }
}

/** For topics that do not show where a message comes from. */
export function withRepository(outcome: Outcome, name: string, url: string | undefined): Outcome {
  if (outcome.kind !== 'messages') return outcome
  const messages = outcome.messages.map((said) => ({
    ...said,
    content: `[${link(name, url)}] ${said.content}`,
  }))
  return { ...outcome, messages }
}
