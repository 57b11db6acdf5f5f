import { z } from 'zod'
import { anything, bold, bullets, line, optional, read, replaceUnderscores } from '../../writing.ts'
import type { StripeEvent } from './event.ts'

const maxChanges = 20

const updatePayload = z.object({
  data: z.object({ object: anything, previous_attributes: optional(anything) }),
})

/** Lists the changed fields with their new values. */
export function changes({ event, payload }: StripeEvent, excludedFields: readonly string[] = []): string {
  if (event !== 'updated') return ''
  const { object, previous_attributes = {} } = read(updatePayload, payload).data
  const keys = Object.keys(previous_attributes).filter(
    (key) => key.trim() !== '' && !excludedFields.includes(key),
  )
  return bullets(keys.slice(0, maxChanges).map((key) => showChange(key, object[key])))
}

function showChange(key: string, value: unknown): string {
  const name = bold(replaceUnderscores(key))
  if (isEmpty(value)) return `${name} was removed`
  const formattedValue = showValue(value)
  return formattedValue === '' ? `${name} changed` : `${name} is now ${formattedValue}`
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === ''
  return (
    value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)
  )
}

/** Formats a value, or the plain values of an object. Lists and nested objects are left out. */
function showValue(value: unknown): string {
  if (typeof value === 'string') return line(value.slice(0, 500))
  if (typeof value !== 'object' || value === null) return isTime(value) ? showTime(value) : String(value)
  if (Array.isArray(value)) return ''
  return Object.entries(value)
    .filter(([key, inside]) => key.trim() !== '' && !isEmpty(inside) && typeof inside !== 'object')
    .slice(0, maxChanges)
    .map(([key, inside]) => `${line(replaceUnderscores(key))}: ${showValue(inside)}`)
    .join(', ')
}

/** Returns whether a value is probably a time: a number of seconds since 1970, from 2017 to 2033. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1.5e9 && value <= 2e9
}

const showTime = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`
