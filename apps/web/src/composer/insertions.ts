import { localTimeOf, offsetOf } from '../client/formats/local-time.ts'

/** Returns the Markdown of a mention; with the id if several people have the name. */
export function mention(
  name: string,
  { id, isSilent }: { id?: number | undefined; isSilent: boolean },
): string {
  return `@${isSilent ? '_' : ''}**${name}${id === undefined ? '' : `|${id}`}** `
}

export const groupMention = (name: string): string => `@*${name}* `

export const streamLink = (stream: string): string => `#**${stream}** `

/** The beginning of a link to a topic, after which topics are suggested. */
export const openStreamLink = (stream: string): string => `#**${stream}>`

export const topicLink = (stream: string, topic: string): string => `#**${stream}>${topic}** `

export const emojiName = (name: string): string => `:${name}: `

/** Formats a time with the offset of the account's time zone, like <time:2026-11-20T15:00:00+01:00>. */
export function timeMark(time: Date): string {
  const minutes = Math.round(offsetOf(time.getTime()) / 60_000)
  const pad = (value: number) => String(Math.trunc(Math.abs(value))).padStart(2, '0')
  const offset = `${minutes < 0 ? '-' : '+'}${pad(minutes / 60)}:${pad(minutes % 60)}`
  return `<time:${localTimeOf(time)}${offset}> `
}
