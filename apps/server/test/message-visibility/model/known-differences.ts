/**
 * Known differences between the server and the rules. The model follows the server in these. Delete
 * an entry and its use once the server is corrected.
 */
export const knownDifferences = {
  /**
   * After a message with a wildcard mention is moved, subscribers of its first stream who are not
   * in its current one get edits without `wildcard_mentioned`: `listFlags` considers only
   * subscription periods that ended, not open ones.
   */
  editsForgetWildcards: true,
  /**
   * A guest who loses one of several messages by a move gets a deletion event for all of them,
   * including messages that the guest never saw.
   */
  losersGetAllDeletions: true,
  /**
   * A message that is committed while its reader marks all as read may stay unread although its event
   * precedes the one that marks all as read, so that clients show it as read.
   */
  markAllOvertakes: true,
}
