/** Characters are counted as code points, see `countCharacters`. */
export const maxTopicLength = 60
export const maxContentBytes = 10_000
/** Maximum of `num_before` and `num_after` together. */
export const maxMessagesPerFetch = 5_000

export const maxStreamNameLength = 60
export const maxStreamDescriptionLength = 1024

/**
 * Maxima in the initial state: beyond them it lists the newest unread and the lowest starred
 * messages.
 */
export const maxUnreadMessages = 50_000
export const maxStarredMessages = 10_000
