import { z } from 'zod'
import {
  bold,
  icons,
  integration,
  line,
  link,
  optional,
  postMessages,
  sentence,
  text,
  unsupported,
  url,
} from '../../writing.ts'

const payload = z.object({
  alert_type_friendly_name: text,
  monitor_friendly_name: text,
  monitor_url: text,
  alert_details: optional(text),
  alert_friendly_duration: optional(text),
})
type Alert = z.output<typeof payload>

export const service = integration({
  title: 'UptimeRobot',
  client: 'UptimeRobot',
  category: 'Monitoring',
  reportsMissingValues: true,
  events: ['up', 'down'],
  payload,
  translate({ payload: alert }) {
    const topic = alert.monitor_friendly_name
    switch (alert.alert_type_friendly_name) {
      case 'Up':
        return postMessages({ event: 'up', topic, content: describeUp(alert) })
      case 'Down':
        return postMessages({
          event: 'down',
          topic,
          content: `${icons.alert} ${monitor(alert)} is ${bold('down')}${details(alert)}.`,
        })
      default:
        return unsupported(alert.alert_type_friendly_name)
    }
  },
})

function describeUp(alert: Alert): string {
  const news = `${icons.ok} ${monitor(alert)} is ${bold('up')} again${details(alert)}.`
  const { alert_friendly_duration: duration } = alert
  return duration ? `${news} It was down for ${sentence(line(duration))}` : news
}

/** Returns the monitor's name, linked to its URL. Some monitors have a host instead of a URL. */
function monitor({ monitor_friendly_name: name, monitor_url }: Alert): string {
  const page = url.safeParse(monitor_url).data
  return page ? link(name, page) : `${line(name)} (${line(monitor_url)})`
}

const details = ({ alert_details }: Alert): string => (alert_details ? ` (${line(alert_details)})` : '')
