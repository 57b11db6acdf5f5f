import { z } from 'zod'
import {
  bold,
  icons,
  line,
  lines,
  link,
  type Outcome,
  optional,
  paragraphs,
  postMessages,
  quote,
  read,
  replaceUnderscores,
  text,
  url,
} from '../../writing.ts'

/** Maps each state of an alert rule in Grafana before version 9 to its icon. */
export const states = {
  alerting: icons.alert,
  ok: icons.ok,
  no_data: icons.warning,
  pending: icons.waiting,
  paused: icons.waiting,
} as const

const match = z.object({ metric: text, value: z.number().nullable() })

const schema = z.object({
  title: text,
  ruleName: text,
  ruleUrl: optional(url),
  state: z.enum(Object.keys(states) as [keyof typeof states]),
  message: optional(text),
  evalMatches: optional(z.array(match)),
  imageUrl: optional(url),
})

export function translateState(payload: unknown): Outcome {
  const { title, ruleName, ruleUrl, state, message, evalMatches = [], imageUrl } = read(schema, payload)
  return postMessages({
    event: state,
    topic: title,
    content: paragraphs(
      `${states[state]} ${bold(replaceUnderscores(state).toUpperCase())} ${link(ruleName, ruleUrl)}`,
      message && quote(message),
      lines(...evalMatches.map(({ metric, value }) => `${bold(line(metric))}: ${value ?? 'no value'}`)),
      imageUrl && link('View the graph', imageUrl),
    ),
  })
}
