import { z } from 'zod'

export const maxAlertWord = 100
/** The whole list is told with every change, and every message is looked through for all of them. */
export const mostAlertWords = 500

export const alertWords = z.array(z.string())
