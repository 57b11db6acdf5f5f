import { maxTopicLength } from './limits.ts'

/** The beginning of the name of a resolved topic. Every client shows it as a part of the name. */
export const resolvedMark = '✔ '

export const isResolvedTopic = (topic: string): boolean => topic.startsWith(resolvedMark)

/** Returns the name of a topic without the mark. */
export const unmarkTopic = (topic: string): string => topic.replace(/^(?:✔ )+/, '')

/** Returns the name that a topic has when it is resolved. */
export const markTopic = (topic: string): string => `${resolvedMark}${unmarkTopic(topic)}`

/**
 * Returns how many characters a topic may have. The mark does not count, so that every topic can be
 * resolved and has its whole name when it is opened again.
 */
export const maxLengthOfTopic = (topic: string): number =>
  isResolvedTopic(topic) ? maxTopicLength + resolvedMark.length : maxTopicLength
