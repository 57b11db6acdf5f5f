/** Operands of the operator `is` of narrows. */
export const isOperands = [
  'private',
  'unread',
  'mentioned',
  'starred',
  'alerted',
  'resolved',
  'followed',
] as const
export type IsOperand = (typeof isOperands)[number]

/** Operands of the operator `has` of narrows. */
export const hasOperands = ['link', 'image', 'attachment'] as const
export type HasOperand = (typeof hasOperands)[number]
