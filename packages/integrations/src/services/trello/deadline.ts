import { moment } from '../../writing.ts'

export const deadline = moment.nullable()

/** Trello's people set the hour by their own clock, so the zone is named. */
export function showDeadline(date: Date): string {
  return date
    .toISOString()
    .replace('T', ' ')
    .replace(/(?:\.\d+)?Z$/, ' UTC')
}
