import { namesOf } from '../data/people.ts'
import { streamName } from '../data/streams.ts'
import type { Target } from '../data/target.ts'
import { formatList } from '../text/dates.ts'
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
