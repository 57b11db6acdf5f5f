import './Inbox.css'
import type { MessageId, Subscription, UserId } from '@oxbow/contract'
import { useComputed } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import {
  countedPrivate,
  inboxCount,
  inboxStreams,
  type UnreadPrivate,
  type UnreadTopic,
} from '../client/conversations/unread.ts'
import { formatList } from '../client/formats/dates.ts'
import { findMessage, showWindow } from '../client/messages/windows.ts'
import { isPersonMuted } from '../client/people/muted-people.ts'
import { namesOf, peopleById } from '../client/people/people.ts'
import { writeHash } from '../client/route/hash.ts'
import { privateRoute, streamRoute, topicRoute } from '../client/route/route.ts'
import { route } from '../client/route/router.ts'
import { kindOf } from '../client/streams/streams.ts'
import { isPhone } from '../frame/panes.ts'
import { ViewFrame } from '../frame/ViewFrame.tsx'
import { readLine } from '../message-text/read-line.ts'
import { t } from '../text/t.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Notice } from '../ui/Notice.tsx'
import { StreamShape } from '../ui/StreamShape.tsx'
import { FirstRun } from './FirstRun.tsx'

/** Lists unread messages by conversation: private ones first, then streams in the order of the nav. */
export function Inbox() {
  const streams = inboxStreams.value
  const conversations = countedPrivate.value
  const isEmpty = streams.length + conversations.length === 0
  // Phones have no space for the beginnings of messages.
  const showsLines = !isEmpty && !isPhone.value
  useEffect(() => {
    if (!showsLines) return
    const unread = showWindow([{ operator: 'is', operand: 'unread' }], 'newest')
    return () => unread.close()
  }, [showsLines])
  return (
    <ViewFrame title={t('inbox.title')} facts={<Facts />}>
      {route.value.view === 'unknown' && (
        <Notice look="warning">{t('inbox.unknown_link', { hash: `#${route.value.hash}` })}</Notice>
      )}
      <FirstRun />
      {isEmpty ? (
        <Empty icon="inbox" title={t('inbox.empty')} text={t('inbox.empty_hint')}>
          <a href="#recent">{t('inbox.recent')}</a>
        </Empty>
      ) : (
        <div class="Inbox">
          {conversations.length > 0 && <PrivateGroup conversations={conversations} />}
          {streams.map(({ stream, topics }) => (
            <StreamGroup key={stream.stream_id} stream={stream} topics={topics} />
          ))}
        </div>
      )}
    </ViewFrame>
  )
}

const Facts = () => <span role="status">{t('inbox.unread', { count: inboxCount.value })}</span>

function PrivateGroup({ conversations }: { conversations: readonly UnreadPrivate[] }) {
  return (
    <section class="Inbox-group">
      <h2 class="Inbox-head">
        <Icon name="message-square" />
        {t('nav.private')}
      </h2>
      <ul class="Inbox-list">
        {conversations.map(({ user_ids, ids, newest }) => {
          const names = namesOf(user_ids)
          return (
            <li key={user_ids.join()}>
              <a
                class="Inbox-row"
                href={writeHash(privateRoute(user_ids, names.length > 1 ? 'group' : (names[0] ?? '')))}
              >
                <Faces user_ids={user_ids} />
                <span class="Inbox-name">
                  <bdi>{names.join(', ')}</bdi>
                </span>
                <span class="Inbox-about">{!isPhone.value && <NewestLine key={newest} id={newest} />}</span>
                <span class="Inbox-new Inbox-about-you">{t('inbox.new', { count: ids.length })}</span>
              </a>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function StreamGroup({ stream, topics }: { stream: Subscription; topics: readonly UnreadTopic[] }) {
  const { stream_id, name, color } = stream
  return (
    <section class="Inbox-group">
      <h2 class="Inbox-head">
        <StreamShape kind={kindOf(stream)} color={color} />
        <a href={writeHash(streamRoute({ stream_id, name }))}>
          <bdi>{name}</bdi>
        </a>
      </h2>
      <ul class="Inbox-list">
        {topics.map(({ topic, ids, newest, sender_ids, hasMention }) => (
          <li key={topic}>
            <a class="Inbox-row" href={writeHash(topicRoute({ stream_id, name }, topic))}>
              <Faces user_ids={sender_ids.slice(-3)} />
              <span class="Inbox-name">
                <bdi>{topic}</bdi>
                {hasMention && (
                  <span class="Inbox-mention">
                    <Icon name="at-sign" />
                    <span class="Spoken">{t('nav.mentioned')}</span>
                  </span>
                )}
              </span>
              <span class="Inbox-about">
                {sender_ids.length > 0 && (
                  <bdi class="Cut Inbox-senders">{formatList(namesOf(sender_ids.slice(-3)))}</bdi>
                )}
                {!isPhone.value && <NewestLine key={newest} id={newest} />}
              </span>
              <span class="Inbox-new">{t('inbox.new', { count: ids.length })}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The beginning of a message, once it is fetched. Nothing is shown of muted people. */
function NewestLine({ id }: { id: number }) {
  const line = useComputed(() => {
    const message = findMessage(id as MessageId).value
    if (!message || isPersonMuted(message.sender_id)) return ''
    const text = readLine(message.content)
    return message.is_me_message ? text.replace(/^\/me /, '') : text
  })
  if (line.value === '') return null
  return (
    <>
      <span class="Inbox-dot"> · </span>
      <bdi class="Cut">{line.value}</bdi>
    </>
  )
}

/** Avatars of up to three people, overlapping. */
function Faces({ user_ids }: { user_ids: readonly UserId[] }) {
  return (
    <span class="Inbox-faces">
      {user_ids.slice(-3).map((user_id) => {
        const person = peopleById.value.get(user_id)
        return (
          <Avatar
            key={user_id}
            user_id={user_id}
            url={person?.avatar_url ?? ''}
            name={person?.full_name ?? '…'}
          />
        )
      })}
    </span>
  )
}
