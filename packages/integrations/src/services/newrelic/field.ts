import { type Refused, refuse } from '../../writing.ts'

/** Reads a field of the older webhooks, which send a form with JSON in its fields. */
export function readField(name: string, json: string): { value: object } | { refused: Refused } {
  try {
    const value: unknown = JSON.parse(json)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? { value } : { refused: refuse(`${name} is not a dict`) }
  } catch {
    return { refused: refuse(`Argument "${name}" is not valid JSON.`) }
  }
}
