/**
 * Faults that tests inject before a node starts. No setting changes them. `dropHints` is the share,
 * from 0 to 1, of carrier messages that the node discards.
 */
export const faults = { dropHints: 0 }
