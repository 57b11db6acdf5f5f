import { moment } from '../../writing.ts'

export const deadline = moment.nullable()

/** Trello users set due times in their own time zones, so the time zone is shown. */
export function showDeadline(date: Date): string {
  return date
    .toISOString()
    .replace('T', ' ')
    .replace(/(?:\.\d+)?Z$/, ' UTC')
}
