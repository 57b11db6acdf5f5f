import type { Subscription, UserId } from '@oxbow/contract'
import { formatDay } from '../client/formats/dates.ts'
import { mutedPeople, setPersonMuted } from '../client/people/muted-people.ts'
import { nameOf } from '../client/people/names.ts'
import { mutedTopics, subscriptions } from '../client/store.ts'
import { unmuteTopic } from '../client/streams/mute-topic.ts'
import { kindOf } from '../client/streams/streams.ts'
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
  const topics = (mutedTopics.value ?? []).toSorted(([, , one], [, , other]) => other - one)
  const streams = (subscriptions.value ?? []).filter(({ is_muted }) => is_muted)
  const people = [...mutedPeople.value]
  if (topics.length + streams.length + people.length === 0)
    return <Empty icon="bell-off" title={t('muted.empty')} text={t('muted.empty_hint')} />
  return (
    <>
      {topics.length > 0 && (
        <Group title={t('muted.topics')} hint={t('muted.topics_hint')}>
          <SettingList>
            {topics.map(([stream, topic, mutedAt]) => (
              <li key={`${stream} ${topic}`} class="SettingList-row">
                <span class="SettingList-name">
                  <bdi>{stream}</bdi> › <bdi>{topic}</bdi>
                </span>
                <span class="SettingList-empty">{formatDay(mutedAt * 1_000)}</span>
                <Button
                  aria-label={t('muted.unmute_name', { name: topic })}
                  onClick={() => void unmuteTopic([stream, topic, mutedAt])}
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
