import { z } from 'zod'

export const maxAlertWordLength = 100
/** Maximum number per account. Events repeat the whole list, and every message is searched for every word. */
export const maxAlertWords = 500

export const alertWords = z.array(z.string())
