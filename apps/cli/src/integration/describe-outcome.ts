import type { Outcome, Refused, Said } from '@oxbow/integrations'

/** In words for whoever tries an integration. `query`: what the URL would have. */
export function describeOutcome(outcome: Outcome, query: Record<string, string>): string {
  switch (outcome.kind) {
    case 'messages': {
      const messages = outcome.messages.map((said) => `${whereTo(said, query)}\n\n${said.content}`)
      const answer = outcome.answer ? [`The answer has ${JSON.stringify(outcome.answer)}.`] : []
      const told = [...messages, ...answer]
      return told.length === 0 ? 'No message.' : told.join('\n\n---\n\n')
    }
    case 'ignored':
      return 'Ignored on purpose: there is no message, and the sender is told that all is well.'
    case 'unsupported':
      return `Not supported: the event "${outcome.event}". There is no message, and the sender is told.`
    case 'refused':
      return `Refused: ${whyRefused(outcome.reason)}`
  }
}

function whereTo({ event, stream, person, topic }: Said, query: Record<string, string>): string {
  const target = person ? `to ${person} alone` : streamOf(stream ?? query.stream)
  const shown = query.topic ?? topic
  return `${target}, topic: ${shown}${event ? `  (event: ${event})` : ''}`
}

const streamOf = (stream: string | undefined): string =>
  stream === undefined ? "to the bot's owner (no stream in the URL)" : `stream: ${stream}`

function whyRefused(reason: Refused['reason']): string {
  if ('lacks' in reason)
    return `the payload lacks ${reason.lacks}, or it is of another kind than the translation reads.`
  if ('header' in reason)
    return `the header ${reason.header} is missing. --header ${reason.header}=… gives one.`
  if ('option' in reason) return `"${reason.value}" is no value for ${reason.option} in the URL.`
  return reason.text
}
