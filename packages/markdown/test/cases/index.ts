import { blockCases } from './blocks.ts'
import type { Case } from './case.ts'
import { codeCases } from './code.ts'
import { emojiCases } from './emoji.ts'
import { emphasisCases } from './emphasis.ts'
import { linkCases } from './links.ts'
import { mathAndTimeCases } from './math-and-time.ts'
import { mentionCases } from './mentions.ts'
import { previewCases } from './previews.ts'
import { quoteCases } from './quotes.ts'
import { textCases } from './text.ts'

export type { Case, CaseSettings } from './case.ts'
export { pictureName, typicalCases } from './forms.ts'
export { contextOf } from './world.ts'

/** All cases of the dialect, in the order of the help page. */
export const cases: readonly Case[] = [
  ...textCases,
  ...emphasisCases,
  ...mentionCases,
  ...codeCases,
  ...quoteCases,
  ...blockCases,
  ...linkCases,
  ...previewCases,
  ...emojiCases,
  ...mathAndTimeCases,
]
