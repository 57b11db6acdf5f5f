import { z } from 'zod'
import { integration, optional, say, text, verbatim } from '../../writing.ts'

export const service = integration({
  title: 'Home Assistant',
  client: 'HomeAssistant',
  category: 'Automation',
  payload: z.object({ message: text, topic: optional(text) }),
  translate: ({ payload: { message, topic = 'homeassistant' } }) =>
    say({ topic, content: verbatim(message) }),
})
