/**
 * Faults that tests inject before a node starts. They cannot be set by configuration. `dropHints` is the
 * share, from 0 to 1, of messages from other nodes about new events that this node discards.
 */
export const faults = { dropHints: 0 }
