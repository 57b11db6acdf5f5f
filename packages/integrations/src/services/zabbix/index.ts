import { z } from 'zod'
import {
  bold,
  details,
  icons,
  integration,
  line,
  lines,
  link,
  postMessages,
  text,
  url,
} from '../../writing.ts'

export const service = integration({
  title: 'Zabbix',
  client: 'Zabbix',
  category: 'Monitoring',
  reportsMissingValues: true,
  payload: z.object({ hostname: text, severity: text, status: text, item: text, trigger: text, link: text }),
  translate: ({ payload: { hostname, severity, status, item, trigger, link: page } }) =>
    postMessages({
      topic: hostname,
      content: lines(
        `${chooseIcon(status)} ${bold(status)} (${line(severity)}) on ${link(hostname, url.safeParse(page).data)}:`,
        details({ Trigger: line(trigger), Item: line(item) }),
      ),
    }),
})

function chooseIcon(status: string): string {
  return /^(?:ok|resolved)$/i.test(status) ? icons.ok : icons.alert
}
