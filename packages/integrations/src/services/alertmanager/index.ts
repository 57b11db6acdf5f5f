import { z } from 'zod'
import {
  bold,
  bullets,
  icons,
  id,
  integration,
  line,
  link,
  type OutgoingMessage,
  optional,
  postMessages,
  text,
  url,
} from '../../writing.ts'

const labels = z.record(z.string(), z.unknown())

const alert = z.object({
  status: z.enum(['firing', 'resolved']),
  labels,
  annotations: optional(labels),
  generatorURL: optional(url),
})
type Alert = z.output<typeof alert>

export const service = integration({
  title: 'Alertmanager',
  client: 'AlertManager',
  category: 'Monitoring',
  events: ['firing', 'resolved'],
  options: {
    name: text.default('instance'),
    desc: text.default('alertname'),
  },
  payload: z.object({ alerts: z.array(alert).min(1) }),
  translate({ payload: { alerts }, options: { name, desc } }) {
    const byTopic = Map.groupBy(alerts, (alert) => getLabel(alert, name) ?? '(unknown)')
    return postMessages(
      ...[...byTopic].flatMap(([topic, alertsOfTopic]) => {
        const byStatus = Map.groupBy(alertsOfTopic, ({ status }) => status)
        return (['firing', 'resolved'] as const).flatMap((status) =>
          formatAlerts(topic, status, byStatus.get(status) ?? [], desc),
        )
      }),
    )
  },
})

function formatAlerts(
  topic: string,
  status: Alert['status'],
  alerts: readonly Alert[],
  desc: string,
): OutgoingMessage[] {
  const heading = status === 'firing' ? `${icons.alert} ${bold('FIRING')}` : `${icons.ok} ${bold('Resolved')}`
  const [first, ...more] = alerts.map((alert) => describe(alert, desc))
  if (first === undefined) return []
  const content = more.length === 0 ? `${heading} ${first}` : `${heading}\n${bullets([first, ...more])}`
  return [{ event: status, topic, content }]
}

function describe(alert: Alert, desc: string): string {
  const words = line(getLabel(alert, desc) ?? `<missing field: ${desc}>`)
  if (alert.generatorURL === undefined) return words
  // Tab 0 shows the graph of the expression, which is easier to understand than the table of tab 1.
  return `${words} (${link('graph', alert.generatorURL.replace('tab=1', 'tab=0'))})`
}

function getLabel({ labels, annotations }: Alert, name: string): string | undefined {
  return readLabel(labels[name]) ?? readLabel(annotations?.[name])
}

const readLabel = (value: unknown): string | undefined => id.safeParse(value).data
