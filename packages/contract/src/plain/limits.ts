/** Topic length is counted in code points, see `countCharacters`. */
export const maxTopicLength = 60
export const maxContentBytes = 10_000
/**
 * Limits for the edits of one message: their number, and the bytes of the earlier texts and their HTML
 * together. Administrators may exceed them to change the topic or the stream.
 */
export const maxEdits = 500
export const maxEditBytes = 1_000_000
/** Limits for the reactions to one message: of one account, and of all accounts in bytes. */
export const maxOwnReactions = 100
export const maxReactionBytes = 1_000_000
/** Streams with more subscribers have no read receipts, because a request looks at each subscriber. */
export const maxReceiptSubscribers = 10_000
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
