import { formatDateTime, formatList, formatMoment } from '../client/formats/dates.ts'
import { markConversationRead } from '../client/messages/mark-read.ts'
import { avatarOf, nameOf } from '../client/people/names.ts'
import { writeHash } from '../client/route/hash.ts'
import { routeOfTarget } from '../client/route/target-route.ts'
import { kindOf, knownStreams } from '../client/streams/streams.ts'
import { PersonFace } from '../people/PersonFace.tsx'
import { t } from '../text/t.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { IconButton } from '../ui/Button.tsx'
import { Count } from '../ui/Count.tsx'
import { FollowedMark } from '../ui/FollowedMark.tsx'
import { Icon } from '../ui/Icon.tsx'
import { StreamShape } from '../ui/StreamShape.tsx'
import type { RecentItem } from './recent-item.ts'

/** A row in the list of recent conversations: name, unread count, latest senders and time. */
export function RecentRow({ item, isActive }: { item: RecentItem; isActive: boolean }) {
  const { target, stream, name, unread, hasMention, isMuted, isFollowed, recent } = item
  const time = recent.timestamp * 1000
  const isPrivate = target.type === 'private'
  return (
    <>
      <span class="Recent-mark" aria-hidden="true">
        <Mark item={item} />
      </span>
      <a
        class={unread > 0 && !isMuted ? 'Recent-name Recent-strong' : 'Recent-name'}
        href={writeHash(routeOfTarget(target))}
        tabIndex={isActive ? 0 : -1}
      >
        {!isPrivate && (
          <>
            <span class="Cut Recent-stream">
              <bdi>{stream}</bdi>
            </span>
            <span class="Recent-arrow">{' › '}</span>
          </>
        )}
        <span class="Cut">
          <bdi>{name}</bdi>
        </span>
      </a>
      {hasMention && (
        <span class="Recent-mention">
          <Icon name="at-sign" />
          <span class="Spoken">{t('nav.mentioned')}</span>
        </span>
      )}
      {isFollowed && <FollowedMark />}
      {isMuted && (
        <span class="Recent-muted">
          <Icon name="bell-off" />
          <span class="Spoken">{t('streams.muted')}</span>
        </span>
      )}
      <Count
        count={unread}
        label={t(isMuted ? 'nav.muted_unread' : 'nav.unread', { count: unread })}
        look={isMuted ? 'muted' : isPrivate || hasMention ? 'about-you' : 'usual'}
      />
      {unread > 0 && (
        <IconButton
          icon="check-check"
          label={t('recent.mark_read', { name })}
          tabIndex={isActive ? 0 : -1}
          onClick={() => void markConversationRead(target)}
        />
      )}
      <span class="Recent-faces">
        {recent.sender_ids
          .slice(0, 3)
          .toReversed()
          .map((user_id) => (
            <Avatar key={user_id} user_id={user_id} url={avatarOf(user_id)} name={nameOf(user_id)} />
          ))}
        <span class="Spoken">
          {t('recent.last_writers', { names: formatList(recent.sender_ids.map(nameOf)) })}
        </span>
      </span>
      <time class="Recent-time" dateTime={new Date(time).toISOString()} title={formatDateTime(time)}>
        {formatMoment(time)}
      </time>
    </>
  )
}

function Mark({ item: { target } }: { item: RecentItem }) {
  if (target.type === 'private') {
    const [first, second] = target.user_ids
    if (first === undefined || second !== undefined) return <Icon name="users" />
    return <PersonFace user_id={first} size="s" />
  }
  const known = knownStreams.value.get(target.stream_id)
  if (!known) return <Icon name="hash" />
  return <StreamShape kind={kindOf(known)} color={'color' in known ? known.color : 'var(--control)'} />
}
