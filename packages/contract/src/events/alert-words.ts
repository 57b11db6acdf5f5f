import type { z } from 'zod'
import { alertWords } from '../shapes/alert-words.ts'
import { kind } from './kind.ts'

export const alertWordsEvent = kind('alert_words', {
  alert_words: alertWords,
})
export type AlertWordsEvent = z.infer<typeof alertWordsEvent>
