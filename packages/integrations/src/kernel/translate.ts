import { fitContent, fitTopic } from './fit.ts'
import type { Bot, Delivery, Integration, OptionRules } from './integration.ts'
import type { Outcome, Refused, Said } from './outcome.ts'
import { PayloadLacks, read } from './payload.ts'

/** A delivery, decoded to JSON. */
export interface Arrived {
  readonly payload: unknown
  readonly header: (name: string) => string | undefined
  /** Parameters of the form and the query. */
  readonly argument: (name: string) => string | undefined
  readonly people?: ReadonlyMap<string, string>
  readonly bot?: Bot
}

/** Translates a delivery. Never throws because of its content, and never makes an incomplete message. */
export function translate(integration: Integration, arrived: Arrived): Outcome {
  try {
    const payload = read(integration.payload, arrived.payload)
    const { eventHeader } = integration
    const event = eventHeader && arrived.header(eventHeader.name)
    if (eventHeader && !event && !eventHeader.isOptional)
      return { kind: 'refused', reason: { header: eventHeader.name } }
    const options = readOptions(integration.options ?? {}, arrived)
    if ('kind' in options) return options as Refused
    const outcome = integration.translate({
      payload,
      event: event ?? '',
      hasTopic: arrived.argument('topic') !== undefined,
      options: options as Delivery<unknown>['options'],
      people: arrived.people ?? new Map(),
      bot: arrived.bot,
    })
    return fit(outcome)
  } catch (error) {
    if (error instanceof PayloadLacks) return { kind: 'refused', reason: { lacks: error.path } }
    throw error
  }
}

function readOptions(rules: OptionRules, { argument }: Arrived): Record<string, unknown> | Refused {
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
  const messages = leaveOutMany(outcome.messages).map((said) => ({
    ...said,
    topic: fitTopic(said.topic),
    content: fitContent(said.content),
  }))
  return { ...outcome, messages }
}

/** Maximum number of messages per delivery, so that a list in one request cannot send thousands. */
const maxMessages = 100

function leaveOutMany(messages: readonly Said[]): readonly Said[] {
  const [last, leftOut] = [messages[maxMessages - 1], messages.length - maxMessages + 1]
  if (!last || leftOut === 1) return messages
  return [...messages.slice(0, maxMessages - 1), { ...last, content: `… and ${leftOut} more` }]
}
