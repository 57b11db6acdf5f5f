import type { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { alertWords } from './shape.ts'

export const alertWordsEvent = eventSchema('alert_words', {
  alert_words: alertWords,
})
export type AlertWordsEvent = z.infer<typeof alertWordsEvent>
