import type { Target } from '../client/conversations/target.ts'
import { formatList } from '../client/formats/dates.ts'
import { namesOf } from '../client/people/people.ts'
import { streamName } from '../client/streams/streams.ts'
import { t } from '../text/t.ts'

/** Returns the label of a composer, which names the target. */
export function labelOf(target: Target): string {
  if (target.type === 'private')
    return t('composer.to_people', { people: formatList(namesOf(target.user_ids)) })
  const stream = streamName(target.stream_id)
  return target.topic === undefined
    ? t('composer.to_stream', { stream })
    : t('composer.to_topic', { stream, topic: target.topic })
}
