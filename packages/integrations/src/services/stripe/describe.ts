import { line, type Outcome, postMessages, replaceUnderscores, unsupported } from '../../writing.ts'
import { changes } from './changes.ts'
import type { StripeEvent } from './event.ts'
import { type ObjectId, showObject } from './object.ts'

/** Returns a sentence like `Invoice payment failed.` For an update, the changed fields follow. */
export function describePlainly(stripeEvent: StripeEvent, subject: ObjectId | string): string {
  const headline = typeof subject === 'string' ? subject : showObject(subject)
  return [`${headline} ${line(replaceUnderscores(stripeEvent.event))}.`, changes(stripeEvent)]
    .filter(Boolean)
    .join('\n')
}

export function translateAccount(stripeEvent: StripeEvent): Outcome {
  if (stripeEvent.event !== 'updated') return unsupported(stripeEvent.type)
  return postMessages({
    event: stripeEvent.type,
    topic: 'account updates',
    content: describePlainly(stripeEvent, 'Account'),
  })
}
