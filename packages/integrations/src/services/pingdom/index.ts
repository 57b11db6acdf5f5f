import { z } from 'zod'
import {
  bold,
  icons,
  integration,
  line,
  optional,
  paragraphs,
  postMessages,
  quote,
  text,
} from '../../writing.ts'

export const service = integration({
  title: 'Pingdom',
  client: 'Pingdom',
  category: 'Monitoring',
  events: ['up', 'down'],
  payload: z.object({
    check_name: text,
    check_type: text,
    previous_state: text,
    current_state: text,
    check_params: optional(z.object({ hostname: text })),
    long_description: optional(text),
  }),
  translate({ payload: { check_name, check_type, previous_state, current_state, ...payload } }) {
    const isDown = current_state === 'DOWN'
    const host = payload.check_params?.hostname ?? check_name
    const change = `${line(host)} (${line(check_type)}) went from ${bold(previous_state)} to ${bold(current_state)}`
    const reason = isDown && previous_state === 'UP' ? payload.long_description : undefined
    return postMessages({
      event: current_state.toLowerCase(),
      topic: `${check_name} status.`,
      content: paragraphs(
        `${isDown ? icons.alert : icons.ok} ${change}${reason ? ':' : '.'}`,
        reason && quote(reason),
      ),
    })
  },
})
