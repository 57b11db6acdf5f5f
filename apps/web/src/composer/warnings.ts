import type { UserId } from '@oxbow/contract'
import { isResolvedTopic } from '@oxbow/contract/plain'
import { awaitOrShowRefusal } from '../client/act.ts'
import { client } from '../client/client.ts'
import type { Target } from '../client/conversations/target.ts'
import { formatList } from '../client/formats/dates.ts'
import { namesOf } from '../client/people/people.ts'
import { toggleResolved } from '../client/streams/resolve-topic.ts'
import { membersOf } from '../client/streams/stream-facts.ts'
import { streamName } from '../client/streams/streams.ts'
import { renderText } from '../client/writing/render.ts'
import { t } from '../text/t.ts'

/** A warning shown before sending; it does not prevent sending. */
export interface Warning {
  readonly key: string
  readonly text: string
  readonly action?: { readonly text: string; readonly run: () => void }
}

/** Mentions of everyone must be confirmed in streams with more members than this. */
const maxUnconfirmedMembers = 15

/**
 * Returns the number of members that a text mentions by a wildcard, if that must be confirmed;
 * undefined otherwise.
 */
export function countWildcardMentioned(target: Target, content: string): number | undefined {
  if (target.type === 'private' || !content.includes('@**')) return undefined
  const count = membersOf(target.stream_id).value?.size ?? 0
  return count > maxUnconfirmedMembers && renderText(content)?.mentionsWildcard ? count : undefined
}

/** Lists warnings about a draft. Reads signals. */
export const listWarnings = (target: Target, content: string): Warning[] => [
  ...listResolved(target, content),
  ...listOutsiders(target, content),
]

/** Asks whether to open a resolved topic again, to which the user writes. */
function listResolved(target: Target, content: string): Warning[] {
  if (target.type === 'private' || content === '') return []
  const { stream_id, topic } = target
  if (topic === undefined || !isResolvedTopic(topic)) return []
  const action = { text: t('topic.reopen'), run: () => void toggleResolved(stream_id, topic) }
  return [{ key: 'resolved', text: t('topic.is_resolved'), action }]
}

function listOutsiders(target: Target, content: string): Warning[] {
  if (target.type === 'private' || !content.includes('@**')) return []
  const members = membersOf(target.stream_id).value
  const mentioned = (renderText(content)?.mentionedUserIds ?? []) as UserId[]
  const outsiders = members ? mentioned.filter((user_id) => !members.has(user_id)) : []
  if (outsiders.length === 0) return []
  const stream = streamName(target.stream_id)
  const addThem = () =>
    void awaitOrShowRefusal(
      client.subscriptions.subscribe({ subscriptions: [{ name: stream }], principals: outsiders }),
    )
  return [
    {
      key: 'outsiders',
      text: t('composer.outsiders', { names: formatList(namesOf(outsiders)), stream }),
      action: { text: t('composer.add_them'), run: addThem },
    },
  ]
}
