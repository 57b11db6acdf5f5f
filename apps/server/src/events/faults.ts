/**
 * Faults that tests inject before a node starts. No setting reaches them, so no node of an operator can have them.
 * `dropHints` is the share, from 0 to 1, of what a carrier brings that is thrown away.
 */
export const faults = { dropHints: 0 }
