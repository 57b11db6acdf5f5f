import { fitContent, fitTopic } from './fit.ts'
import type { Bot, Delivery, Integration, OptionRules } from './integration.ts'
import type { Outcome, OutgoingMessage, Refused } from './outcome.ts'
import { MissingFieldError, read } from './payload.ts'

/** A delivery whose body was parsed. */
export interface DecodedDelivery {
  readonly payload: unknown
  readonly header: (name: string) => string | undefined
  /** Returns a parameter of the form or the query. */
  readonly argument: (name: string) => string | undefined
  readonly people?: ReadonlyMap<string, string>
  readonly bot?: Bot
}

/**
 * Translates a delivery. Never throws because of its content, and never returns a message with
 * missing values.
 */
export function translate(integration: Integration, delivery: DecodedDelivery): Outcome {
  try {
    const payload = read(integration.payload, delivery.payload)
    const { eventHeader } = integration
    const event = eventHeader && delivery.header(eventHeader.name)
    if (eventHeader && !event && !eventHeader.isOptional)
      return { kind: 'refused', reason: { header: eventHeader.name } }
    const options = readOptions(integration.options ?? {}, delivery)
    if ('kind' in options) return options as Refused
    const outcome = integration.translate({
      payload,
      event: event ?? '',
      hasTopic: delivery.argument('topic') !== undefined,
      options: options as Delivery<unknown>['options'],
      people: delivery.people ?? new Map(),
      bot: delivery.bot,
    })
    return fit(outcome)
  } catch (error) {
    if (error instanceof MissingFieldError) return { kind: 'refused', reason: { missingField: error.path } }
    throw error
  }
}

function readOptions(rules: OptionRules, { argument }: DecodedDelivery): Record<string, unknown> | Refused {
  const options: Record<string, unknown> = {}
  for (const [option, schema] of Object.entries(rules)) {
    const value = argument(option)
    const result = schema.safeParse(value)
    if (!result.success) return { kind: 'refused', reason: { option, value: value ?? '' } }
    options[option] = result.data
  }
  return options
}

function fit(outcome: Outcome): Outcome {
  if (outcome.kind !== 'messages') return outcome
  const messages = truncateMessages(outcome.messages).map((message) => ({
    ...message,
    topic: fitTopic(message.topic),
    content: fitContent(message.content),
  }))
  return { ...outcome, messages }
}

/** Maximum number of messages per delivery, so that one request with a long list cannot send thousands. */
const maxMessages = 100

function truncateMessages(messages: readonly OutgoingMessage[]): readonly OutgoingMessage[] {
  const [last, leftOut] = [messages[maxMessages - 1], messages.length - maxMessages + 1]
  if (!last || leftOut === 1) return messages
  return [...messages.slice(0, maxMessages - 1), { ...last, content: `… and ${leftOut} more` }]
}
