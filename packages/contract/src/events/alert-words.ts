import type { z } from 'zod'
import { alertWords } from '../shapes/alert-words.ts'
import { eventSchema } from './event-schema.ts'

export const alertWordsEvent = eventSchema('alert_words', {
  alert_words: alertWords,
})
export type AlertWordsEvent = z.infer<typeof alertWordsEvent>
