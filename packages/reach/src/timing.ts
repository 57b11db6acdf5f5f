import type { DecisionInput } from './input.ts'
import type { RuleId } from './rules.ts'

/** A user counts as away after this time without a report of activity. The web client uses it too. */
const awayAfterMs = 140_000
const secondMs = 1_000
const minuteMs = 60_000
const hourMs = 3_600_000

/** Delays of pushes: it folds bursts, and leaves time to read the message on another device. */
const pushDelayMs = { away: 2 * secondMs, active: 12 * secondMs, hidden: 15 * secondMs }
/** Pushes about one conversation are this far apart. */
const pushPauseMs = 20 * secondMs
const maxPushesInTenMinutes = 20
/** Mail is a safety net for a push that nobody looked at. */
const mailAfterPushMs = 30 * minuteMs
const maxMails = { hour: 20, day: 60 }

interface Due {
  readonly at: number
  readonly rule: RuleId
}

/** Returns the later of two times. Of equal ones, the first rule is named. */
const later = (first: Due, second: Due): Due => (second.at > first.at ? second : first)

const isAway = ({ now: { at, lastActiveAt, isPresenceHidden } }: DecisionInput): boolean =>
  isPresenceHidden || lastActiveAt === undefined || at - lastActiveAt >= awayAfterMs

/** Returns whether quiet hours hold back sounds and pushes of this message. */
export const isQuiet = ({ message, reader, now }: DecisionInput): boolean =>
  reader.quietUntil !== undefined && reader.quietUntil > now.at && !reader.breakThrough.has(message.senderId)

/** Returns when a push is due, and the rule that decides it. */
export function findPushTime(input: DecisionInput): Due {
  const { earlier, reader } = input
  let due = findFirstPushTime(input)
  const { conversationPushedAt, lastPushAt } = earlier
  if (conversationPushedAt !== undefined)
    due = later(due, { at: conversationPushedAt + pushPauseMs, rule: 'T5' })
  if (lastPushAt !== undefined && earlier.pushesInTenMinutes >= maxPushesInTenMinutes)
    due = later(due, { at: lastPushAt + pushPauseMs, rule: 'T6' })
  return isQuiet(input) && reader.quietUntil !== undefined
    ? later(due, { at: reader.quietUntil, rule: 'T4' })
    : due
}

function findFirstPushTime(input: DecisionInput): Due {
  const { message, now, reader } = input
  if (now.isPresenceHidden) return { at: message.sentAt + pushDelayMs.hidden, rule: 'T7' }
  if (isAway(input)) return { at: message.sentAt + pushDelayMs.away, rule: 'T1' }
  if (reader.settings.pushWhileActive) return { at: message.sentAt + pushDelayMs.active, rule: 'T2' }
  return { at: (now.lastActiveAt ?? now.at) + awayAfterMs, rule: 'T3' }
}

/** Returns when mail is due, and the rule that decides it. */
export function findMailTime(input: DecisionInput): Due {
  const { message, now, reader, earlier } = input
  let due: Due = {
    at: (earlier.gatheringSince ?? message.sentAt) + reader.settings.mailDelayMs,
    rule: 'T8',
  }
  if (now.isPresenceHidden) due = later(due, { at: message.sentAt + pushDelayMs.hidden, rule: 'T7' })
  if (earlier.pushAcceptedAt !== undefined)
    due = later(due, { at: earlier.pushAcceptedAt + mailAfterPushMs, rule: 'T9' })
  const { unansweredMails, conversationMailedAt, lastMailAt } = earlier
  if (unansweredMails > 0 && conversationMailedAt !== undefined)
    due = later(due, {
      at: conversationMailedAt + (unansweredMails === 1 ? 15 * minuteMs : hourMs),
      rule: 'T11',
    })
  if (lastMailAt !== undefined && hasManyMails(input))
    due = later(due, { at: lastMailAt + hourMs, rule: 'T12' })
  return now.at >= due.at && !isAway(input) ? { at: now.at + minuteMs, rule: 'T10' } : due
}

const hasManyMails = ({ earlier }: DecisionInput): boolean =>
  earlier.mailsInHour >= maxMails.hour || earlier.mailsInDay >= maxMails.day
