import { z } from 'zod'
import {
  codeBlock,
  details,
  integration,
  line,
  link,
  optional,
  paragraphs,
  postMessages,
  text,
  url,
} from '../../writing.ts'

const result = z.object({ host: optional(text), source: optional(text), _raw: optional(text) })

export const service = integration({
  title: 'Splunk',
  client: 'Splunk',
  category: 'Monitoring',
  payload: z.object({
    search_name: optional(text),
    results_link: optional(url),
    result: optional(result),
  }),
  /** The fields depend on the search, so missing fields get a placeholder. */
  translate({ payload: { search_name = 'Missing search_name', results_link, result } }) {
    const { host = 'Missing host', source = 'Missing source', _raw = 'Missing _raw' } = result ?? {}
    return postMessages({
      topic: search_name,
      content: paragraphs(
        `The search ${link(search_name, results_link)} found this:`,
        details({ Host: line(host), Source: line(source) }),
        codeBlock(_raw),
      ),
    })
  },
})
