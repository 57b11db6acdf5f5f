import { z } from 'zod'
import {
  bold,
  icons,
  integration,
  line,
  link,
  number,
  optional,
  postMessages,
  sentence,
  text,
  url,
} from '../../writing.ts'

const states: Record<number, [event: string, icon: string, words: string]> = {
  0: ['down', icons.alert, 'is down'],
  1: ['up', icons.ok, 'is up again'],
  2: ['pending', icons.waiting, 'does not answer yet'],
  3: ['maintenance', icons.warning, 'is under maintenance'],
}

export const service = integration({
  title: 'Uptime Kuma',
  client: 'UptimeKuma',
  category: 'Monitoring',
  events: [...Object.values(states).map(([event]) => event), 'notice'],
  payload: z.object({
    monitor: optional(z.object({ name: text, url: optional(url) })),
    heartbeat: optional(z.object({ status: number, msg: optional(text) })),
    msg: text,
  }),
  translate({ payload: { monitor, heartbeat, msg } }) {
    const [event, icon, words] = states[heartbeat?.status ?? -1] ?? []
    // Tests of the set-up and warnings about certificates contain only a text.
    if (!monitor || !event)
      return postMessages({
        event: 'notice',
        topic: monitor?.name ?? 'Uptime Kuma',
        content: sentence(line(msg)),
      })
    const why = heartbeat?.msg ? `: ${line(heartbeat.msg)}` : ''
    const subject = bold(link(monitor.name, monitor.url))
    return postMessages({
      event,
      topic: monitor.name,
      content: sentence(`${icon} ${subject} ${words}${why}`),
    })
  },
})
