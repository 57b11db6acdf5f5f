/**
 * Where the server is known to differ from the rules, and the model follows it until it no longer does. Each of these is
 * to be deleted, and its use with it, once the server is right.
 */
export const accepted = {
  /**
   * Of a message with a wildcard mention that was moved: whoever is in the stream that it was sent to, and not where it
   * is, hears of edits without `wildcard_mentioned`. `listFlags` asks for periods that ended, not for open ones.
   */
  editsForgetWildcards: true,
  /**
   * A guest who keeps a message of a stream that they never were in, and is in the one that it is moved to, does not hear
   * of the move: `listKeepers` leaves them out because they are there, `listGuestsWhoGain` because they were not here.
   */
  keepersMissMoves: true,
  /** A guest who loses one of several messages by a move hears that all of them are deleted, also those they never saw. */
  losersHearOfAll: true,
  /**
   * A message that is committed while its reader marks all as read may stay unread, though its event comes before the one
   * that says that all is read: then clients take it for read.
   */
  markAllOvertakes: true,
}
