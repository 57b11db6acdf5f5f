import { z } from 'zod'
import { bold, optional, text } from '../../writing.ts'

/** One entry of Jira's changelog. */
const item = z
  .looseObject({ field: text, fromString: optional(text) })
  .transform((item) => ({ field: item.field, from: item.fromString, to: ownText(item, 'toString') }))

/**
 * Returns the object's own text property. Jira calls the new value `toString`, which every object
 * inherits.
 */
function ownText(item: object, name: string): string | undefined {
  return text.safeParse(Object.getOwnPropertyDescriptor(item, name)?.value).data
}

export const changelog = z.object({ items: z.array(item) })

export const transition = z.object({ from_status: text, to_status: text })

interface Change {
  readonly field: string
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export function listChanges(
  log: z.output<typeof changelog> | undefined,
  moved: z.output<typeof transition> | undefined,
): Change[] {
  if (log && log.items.length > 0) return log.items
  return moved ? [{ field: 'status', from: moved.from_status, to: moved.to_status }] : []
}

export function describeChange({ field, from, to }: Change): string {
  const fieldName = bold(field)
  if (from !== undefined && to !== undefined)
    return `Changed ${fieldName} from ${value(from)} to ${value(to)}`
  if (to !== undefined) return `Set ${fieldName} to ${value(to)}`
  return from === undefined ? `Changed ${fieldName}` : `Removed ${fieldName} (${value(from)})`
}

const maxValueLength = 100

/** Truncates long values such as descriptions, so that they fit on a line. */
function value(words: string): string {
  const characters = Array.from(words.replace(/\s+/g, ' ').replaceAll('**', ''))
  const isLong = characters.length > maxValueLength
  return bold(isLong ? `${characters.slice(0, maxValueLength).join('')}…` : characters.join(''))
}
