import type { Subscription, UserId } from '@oxbow/contract'
import { Attention } from '@oxbow/contract/plain'
import { formatDay } from '../client/formats/dates.ts'
import { mutedPeople, setPersonMuted } from '../client/people/muted-people.ts'
import { nameOf } from '../client/people/names.ts'
import { subscriptions, userTopics } from '../client/store.ts'
import { kindOf, streamName } from '../client/streams/streams.ts'
import { unmuteTopic } from '../client/streams/topic-attention.ts'
import { offerUndo } from '../client/undo.ts'
import { Group } from '../frame/Group.tsx'
import { SettingList } from '../frame/SettingList.tsx'
import { changeStreamSetting } from '../streams/change-stream-setting.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { StreamShape } from '../ui/StreamShape.tsx'

/** The settings page that lists muted topics, streams and people. */
export function MutedPage() {
  const topics = (userTopics.value ?? [])
    .filter(({ visibility_policy }) => visibility_policy === Attention.muted)
    .toReversed()
  const streams = (subscriptions.value ?? []).filter(({ is_muted }) => is_muted)
  const people = [...mutedPeople.value]
  if (topics.length + streams.length + people.length === 0)
    return <Empty icon="bell-off" title={t('muted.empty')} text={t('muted.empty_hint')} />
  return (
    <>
      {topics.length > 0 && (
        <Group title={t('muted.topics')} hint={t('muted.topics_hint')}>
          <SettingList>
            {topics.map(({ stream_id, topic_name: topic, last_updated }) => (
              <li key={`${stream_id} ${topic}`} class="SettingList-row">
                <span class="SettingList-name">
                  <bdi>{streamName(stream_id)}</bdi> › <bdi>{topic}</bdi>
                </span>
                <span class="SettingList-empty">{formatDay(last_updated * 1_000)}</span>
                <Button
                  aria-label={t('muted.unmute_name', { name: topic })}
                  onClick={() => void unmuteTopic(stream_id, topic)}
                >
                  {t('muted.unmute')}
                </Button>
              </li>
            ))}
          </SettingList>
        </Group>
      )}
      {streams.length > 0 && (
        <Group title={t('muted.streams')} hint={t('muted.streams_hint')}>
          <SettingList>
            {streams.map((stream) => (
              <li key={stream.stream_id} class="SettingList-row">
                <StreamShape kind={kindOf(stream)} color={stream.color} />
                <bdi class="SettingList-name">{stream.name}</bdi>
                <Button
                  aria-label={t('muted.unmute_name', { name: stream.name })}
                  onClick={() => void unmuteStream(stream)}
                >
                  {t('muted.unmute')}
                </Button>
              </li>
            ))}
          </SettingList>
        </Group>
      )}
      {people.length > 0 && (
        <Group title={t('muted.people')} hint={t('muted.people_hint')}>
          <SettingList>
            {people.map((user_id) => (
              <li key={user_id} class="SettingList-row">
                <bdi class="SettingList-name">{nameOf(user_id)}</bdi>
                <Button
                  aria-label={t('muted.unmute_name', { name: nameOf(user_id) })}
                  onClick={() => void unmutePerson(user_id)}
                >
                  {t('muted.unmute')}
                </Button>
              </li>
            ))}
          </SettingList>
        </Group>
      )}
    </>
  )
}

async function unmuteStream(stream: Subscription): Promise<void> {
  if (await changeStreamSetting(stream, 'is_muted', false))
    offerUndo(
      t('muted.unmuted', { name: stream.name }),
      () => void changeStreamSetting(stream, 'is_muted', true),
    )
}

async function unmutePerson(user_id: UserId): Promise<void> {
  if (await setPersonMuted(user_id, false))
    offerUndo(t('muted.unmuted', { name: nameOf(user_id) }), () => void setPersonMuted(user_id, true))
}
