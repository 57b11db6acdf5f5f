import type { Outcome, OutgoingMessage, Refused } from '@oxbow/integrations'

/** Describes the outcome for the developer of an integration. `query` contains the URL parameters. */
export function describeOutcome(outcome: Outcome, query: Record<string, string>): string {
  switch (outcome.kind) {
    case 'messages': {
      const messages = outcome.messages.map(
        (message) => `${describeTarget(message, query)}\n\n${message.content}`,
      )
      const response = outcome.responseFields
        ? [`The response to the sender contains ${JSON.stringify(outcome.responseFields)}.`]
        : []
      const parts = [...messages, ...response]
      return parts.length === 0 ? 'No message.' : parts.join('\n\n---\n\n')
    }
    case 'ignored':
      return 'Ignored on purpose: nothing is posted, and the sender gets a success.'
    case 'unsupported':
      return `Not supported: the event "${outcome.event}". Nothing is posted, and the sender gets an error.`
    case 'refused':
      return `Refused: ${explainRefusal(outcome.reason)}`
  }
}

function describeTarget(
  { event, stream, person, topic }: OutgoingMessage,
  query: Record<string, string>,
): string {
  const target = person ? `to ${person} only` : describeStream(stream ?? query.stream)
  const shownTopic = query.topic ?? topic
  return `${target}, topic: ${shownTopic}${event ? `  (event: ${event})` : ''}`
}

const describeStream = (stream: string | undefined): string =>
  stream === undefined ? "to the bot's owner (no stream in the URL)" : `stream: ${stream}`

function explainRefusal(reason: Refused['reason']): string {
  if ('missingField' in reason)
    return `${reason.missingField} is missing in the payload, or has another type than the translation expects.`
  if ('header' in reason)
    return `the header ${reason.header} is missing. Add it with --header ${reason.header}=…`
  if ('option' in reason) return `"${reason.value}" is not a valid value of ${reason.option} in the URL.`
  return reason.text
}
