/** Topic length is counted in code points, see `countCharacters`. */
export const maxTopicLength = 60
export const maxContentBytes = 10_000
/** Maximum of `num_before` and `num_after` together. */
export const maxMessagesPerFetch = 5_000

export const maxStreamNameLength = 60
export const maxStreamDescriptionLength = 1024

/**
 * Maximum numbers of messages in the initial state: the newest unread messages, and the starred
 * messages with the lowest ids.
 */
export const maxUnreadMessages = 50_000
export const maxStarredMessages = 10_000
