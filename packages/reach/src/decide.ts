import { type Channel, findRefusal, listReasons } from './grants.ts'
import type { Decision, DecisionInput, Verdict } from './input.ts'
import type { Reason, RuleId } from './rules.ts'
import { findStop } from './stops.ts'
import { findMailTime, findPushTime, isQuiet } from './timing.ts'

/**
 * Decides whether a message notifies a reader: on the screen, by a sound, by push and by mail. Reads no clock and
 * nothing but its input. A decision is never final: it is made again when a push or mail is due, because the reader
 * may have read the message, lost access or become active meanwhile.
 */
export function decide(input: DecisionInput): Decision {
  const stop = findStop(input)
  if (stop)
    return { reasons: [], screen: never(stop), sound: never(stop), push: never(stop), mail: never(stop) }
  const reasons = listReasons(input)
  return {
    reasons,
    screen: showNow(findGrant(input, reasons, 'screen')),
    sound: decideSound(input, findGrant(input, reasons, 'sound')),
    push: decidePush(input, findGrant(input, reasons, 'push')),
    mail: decideMail(input, findGrant(input, reasons, 'mail')),
  }
}

type Grant = { readonly reason: Reason } | { readonly refusedBy: RuleId }

/** A channel is granted by the first reason that grants it; otherwise the first reason's refusal is named. */
function findGrant(input: DecisionInput, reasons: readonly Reason[], channel: Channel): Grant {
  const refusals = reasons.map((reason) => ({ reason, rule: findRefusal(input, reason, channel) }))
  const granted = refusals.find(({ rule }) => rule === undefined)
  return granted ? { reason: granted.reason } : { refusedBy: refusals[0]?.rule ?? 'S3' }
}

const never = (rule: RuleId): Verdict => ({ outcome: 'never', rule })

const showNow = (grant: Grant): Verdict =>
  'reason' in grant ? { outcome: 'now', rule: grant.reason, reason: grant.reason } : never(grant.refusedBy)

const decideSound = (input: DecisionInput, grant: Grant): Verdict =>
  'reason' in grant && isQuiet(input) ? never('T4') : showNow(grant)

function decidePush(input: DecisionInput, grant: Grant): Verdict {
  const { reader, where } = input
  const { direct, pushWhileActive } = reader.settings
  if (!direct.push && !pushWhileActive) return never('P3')
  if (!('reason' in grant)) return never(grant.refusedBy)
  if (!where.pushWorks) return never('D2')
  if (reader.pushDevices === 0) return never('D1')
  return whenDue(input, grant.reason, findPushTime(input))
}

function decideMail(input: DecisionInput, grant: Grant): Verdict {
  const { reader, where } = input
  if (!reader.settings.direct.mail) return never('P4')
  if (!('reason' in grant)) return never(grant.refusedBy)
  if (!where.mailWorks) return never('D5')
  if (reader.address !== 'ok') return never(reader.address === 'none' ? 'D3' : 'D4')
  return whenDue(input, grant.reason, findMailTime(input))
}

function whenDue(
  { now }: DecisionInput,
  reason: Reason,
  { at, rule }: { at: number; rule: RuleId },
): Verdict {
  return at <= now.at ? { outcome: 'now', rule, reason } : { outcome: 'at', at, rule, reason }
}
