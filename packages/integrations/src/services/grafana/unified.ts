import { z } from 'zod'
import {
  bold,
  bullets,
  details,
  icons,
  line,
  lines,
  link,
  moment,
  type Outcome,
  type OutgoingMessage,
  optional,
  paragraphs,
  postMessages,
  read,
  text,
  url,
  when,
} from '../../writing.ts'

const scalar = z.union([text, z.number().transform(String)])
const pairs = optional(z.record(z.string(), z.unknown()))

const alert = z.object({
  status: z.enum(['firing', 'resolved']),
  labels: pairs,
  annotations: pairs,
  startsAt: optional(moment),
  endsAt: optional(moment),
  values: pairs,
  valueString: optional(text),
  generatorURL: optional(url),
  silenceURL: optional(url),
  imageURL: optional(url),
  fingerprint: text,
})
type Alert = z.output<typeof alert>

const schema = z.object({ alerts: z.array(alert).min(1) })

export function translateAlerts(payload: unknown): Outcome {
  return postMessages(...read(schema, payload).alerts.map(formatAlert))
}

function formatAlert(alert: Alert): OutgoingMessage {
  const name = scalar.safeParse(alert.labels?.alertname).data ?? alert.fingerprint
  const heading =
    alert.status === 'firing' ? `${icons.alert} ${bold('FIRING')}` : `${icons.ok} ${bold('RESOLVED')}`
  return {
    event: alert.status,
    topic: `[${name}]`,
    content: paragraphs(
      `${heading} ${line(name)}`,
      details({
        Started: alert.startsAt && when(alert.startsAt),
        Ended: alert.endsAt && when(alert.endsAt),
      }),
      section('Labels', alert.labels),
      section('Values', alert.values) ?? (alert.valueString && `Values: ${line(alert.valueString)}`),
      section('Annotations', alert.annotations),
      formatLinks(alert),
    ),
  }
}

function section(title: string, pairs: Alert['labels']): string | undefined {
  const items = Object.entries(pairs ?? {}).flatMap(([key, value]) => {
    const words = scalar.safeParse(value).data
    return words === undefined || key.trim() === '' ? [] : [`${line(key)}: ${line(words)}`]
  })
  return items.length === 0 ? undefined : lines(`${title}:`, bullets(items))
}

function formatLinks({ generatorURL, silenceURL, imageURL }: Alert): string {
  return [
    generatorURL && link('View the rule', generatorURL),
    silenceURL && link('Silence', silenceURL),
    imageURL && link('View the graph', imageURL),
  ]
    .filter(Boolean)
    .join(' · ')
}
