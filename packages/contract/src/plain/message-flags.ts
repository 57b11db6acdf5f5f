/** Flags of a message for one account, in the order in which they are listed. */
export const messageFlags = [
  'read',
  'starred',
  'collapsed',
  'mentioned',
  'wildcard_mentioned',
  'has_alert_word',
  'historical',
] as const
export type MessageFlag = (typeof messageFlags)[number]

/** Flags that clients can change. The server derives the others from the message. */
export const editableFlags = ['read', 'starred', 'collapsed'] as const satisfies MessageFlag[]
export type EditableFlag = (typeof editableFlags)[number]
