import { z } from 'zod'
import { field } from '../kernel/field.ts'

export const maxAlertWordLength = 100
/** Maximum number per account. Events repeat the whole list, and every message is searched for every word. */
export const maxAlertWords = 500

export const alertWords = field(
  z.array(z.string()),
  'All alert words of the account, in the order in which they were added.',
)
