/**
 * Every outcome of a decision names one of these rules. Explanations have a sentence for each, so an id never
 * changes its meaning.
 */
const rules = {
  S1: 'the reader sent the message',
  S2: 'the reader is a program or a deactivated account',
  S3: 'the reader has no access to the message',
  S4: 'the message was deleted',
  S5: 'the reader has read the message',
  S6: 'the message is silent: a notice of the server, an import, or history',
  S7: 'the reader muted the sender, or everyone else in the conversation',
  S8: 'the message is older than a day',
  R1: 'private message',
  R2: 'mentioned by name',
  R3: 'mentioned through a group',
  R4: 'contains an alert word of the reader',
  R5: 'mentions everyone in a topic that the reader follows',
  R6: 'mentions everyone',
  R7: 'mentions more people than the crowd limit',
  R8: 'in a topic that the reader follows',
  R9: 'in a stream of the reader',
  P1: 'the topic is muted',
  P2: 'the stream is muted',
  P3: 'all push notifications are off',
  P4: 'all e-mails about messages are off',
  D1: 'the reader has no device for push notifications',
  D2: 'the server sends no push notifications',
  D3: 'the reader has no e-mail address',
  D4: 'mail to the reader bounces',
  D5: 'the server sends no mail',
  T1: 'the reader is away',
  T2: 'the reader is active and wants pushes then too',
  T3: 'the reader is active and wants pushes only when away',
  T4: 'quiet hours, or a pause',
  T5: 'a push about the same conversation was just shown',
  T6: 'many pushes in a short time',
  T7: 'the reader does not report presence',
  T8: 'mail waits for further messages of the conversation',
  T9: 'a push reached a device that works',
  T10: 'the reader is active when mail is due',
  T11: 'an earlier e-mail about the conversation was not followed by reading',
  T12: 'the reader got many e-mails',
} as const

export type RuleId = keyof typeof rules

export const ruleIds = Object.keys(rules) as RuleId[]

/**
 * Reasons why a message concerns a person. Any of them can grant a channel; the order decides only which one is
 * shown.
 */
export const reasonsOf = ['R1', 'R2', 'R3', 'R5', 'R6', 'R7', 'R4', 'R8', 'R9'] as const

export type Reason = (typeof reasonsOf)[number]
