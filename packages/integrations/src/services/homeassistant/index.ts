import { z } from 'zod'
import { integration, optional, postMessages, text, verbatim } from '../../writing.ts'

export const service = integration({
  title: 'Home Assistant',
  client: 'HomeAssistant',
  category: 'Automation',
  payload: z.object({ message: text, topic: optional(text) }),
  translate: ({ payload: { message, topic = 'homeassistant' } }) =>
    postMessages({ topic, content: verbatim(message) }),
})
