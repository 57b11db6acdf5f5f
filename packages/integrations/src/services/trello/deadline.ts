import { moment } from '../../writing.ts'

export const deadline = moment.nullable()

/** Formats a due time with its time zone, because Trello users set times in their own zones. */
export function showDeadline(date: Date): string {
  return date
    .toISOString()
    .replace('T', ' ')
    .replace(/(?:\.\d+)?Z$/, ' UTC')
}
