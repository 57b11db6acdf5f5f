import { z } from 'zod'
import {
  icons,
  integration,
  link,
  optional,
  paragraphs,
  postMessages,
  quote,
  text,
  url,
} from '../../writing.ts'

export const service = integration({
  title: 'Airbrake',
  client: 'Airbrake',
  category: 'Monitoring',
  payload: z.object({
    airbrake_error_url: optional(url),
    error: z.object({
      error_class: text,
      error_message: optional(text),
      project: z.object({ name: text }),
    }),
  }),
  translate({ payload: { airbrake_error_url, error } }) {
    const { error_class, error_message, project } = error
    return postMessages({
      topic: project.name,
      content: paragraphs(
        `${icons.alert} ${link(error_class, airbrake_error_url)} was raised${error_message ? ':' : '.'}`,
        error_message && quote(error_message),
      ),
    })
  },
})
