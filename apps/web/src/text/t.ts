import { createTranslate, type TranslateBy } from '@oxbow/texts/translate'
import { en } from './en.generated.ts'
import type { Messages } from './messages.generated.ts'

/** The key of a text of the client. */
export type Key = keyof Messages

/** Returns a text of the client by its key, in the language of the reader. */
export const t: TranslateBy<Messages> = createTranslate<Messages, 'en'>('en', en)
