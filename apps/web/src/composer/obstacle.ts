import { PostPolicy } from '@oxbow/contract/plain'
import type { Target } from '../client/conversations/target.ts'
import { peopleById } from '../client/people/people.ts'
import { askPermission } from '../client/permissions.ts'
import { ownId, privateMessagePolicy } from '../client/store.ts'
import { streamsById } from '../client/streams/streams.ts'
import { t } from '../text/t.ts'

/** The value of `realm_private_message_policy` that allows everyone. */
const privateMessagesForEveryone = 1

/**
 * Returns the reason why the user cannot write to a target, shown in place of the composer. Reads
 * signals.
 */
export function findObstacle(target: Target): string | undefined {
  if (target.type === 'stream') {
    const stream = streamsById.value.get(target.stream_id)
    if (!stream || stream.stream_post_policy === PostPolicy.everyone) return undefined
    return findRefusal(askPermission('post', { stream_id: target.stream_id }).value)
  }
  const others = target.user_ids.filter((user_id) => user_id !== ownId.value)
  const deactivated = others
    .map((user_id) => peopleById.value.get(user_id))
    .find((person) => person && !person.is_active)
  if (deactivated) return t('composer.deactivated', { name: deactivated.full_name })
  const hasPeople = others.some((user_id) => !peopleById.value.get(user_id)?.is_bot)
  return privateMessagePolicy.value !== privateMessagesForEveryone && hasPeople
    ? t('composer.no_private')
    : undefined
}

const findRefusal = (answer: { allowed: boolean; reason: string } | undefined): string | undefined =>
  answer && !answer.allowed ? answer.reason : undefined
