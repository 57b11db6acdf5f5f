import { z } from 'zod'
import { bold, ignore, integration, line, link, optional, postMessages, text, url } from '../../writing.ts'

const successStatuses = ['Passed', 'Fixed']
const failureStatuses = ['Failed', 'Broken', 'Still Failing', 'Errored', 'Canceled']

export const service = integration({
  title: 'Travis CI',
  client: 'Travis',
  category: 'Continuous integration',
  body: { kind: 'field', field: 'payload' },
  events: ['api', 'cron', 'pull_request', 'push'],
  options: { ignore_pull_requests: z.enum(['true', 'false']).default('true') },
  payload: z.object({
    author_name: text,
    status_message: text,
    build_url: url,
    compare_url: optional(url),
    type: text,
  }),
  translate({ payload, options }) {
    const { author_name, status_message, build_url, compare_url, type } = payload
    if (type === 'pull_request' && options.ignore_pull_requests === 'true') return ignore()
    const links = [compare_url && link('changes', compare_url), link('log', build_url)].filter(Boolean)
    return postMessages({
      event: type,
      topic: 'builds',
      content: `Build of ${line(author_name)}: ${bold(status_message)}${chooseEmoji(status_message)} (${links.join(', ')}).`,
    })
  },
})

function chooseEmoji(status: string): string {
  if (successStatuses.includes(status)) return ' :thumbs_up:'
  if (failureStatuses.includes(status)) return ' :thumbs_down:'
  return status === 'Pending' ? ' :time_ticking:' : ''
}
