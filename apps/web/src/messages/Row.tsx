import './Row.css'
import { flagBits, type WindowMessage } from '@oxbow/sdk/windows'
import { useComputed } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { activeMessage, editedMessage } from '../data/editing.ts'
import { avatarOf, nameOf } from '../data/names.ts'
import { peopleById } from '../data/people.ts'
import { findMessage } from '../data/windows.ts'
import { formatDateTime, formatTime } from '../text/dates.ts'
import { t } from '../text/t.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Bar } from './Bar.tsx'
import { Body } from './Body.tsx'
import { DayLine } from './DayLine.tsx'
import { EditRow } from './EditRow.tsx'
import { Reactions } from './Reactions.tsx'
import type { RowLook } from './rows.ts'
import { Toolbar } from './Toolbar.tsx'
import { UnreadLine } from './UnreadLine.tsx'
import { Widget } from './Widget.tsx'

/** A message of a list, with the lines that stand above it. */
export function Row({ look, newCount }: { look: RowLook; newCount: number }) {
  const { id, hasBar, hasDay, hasHead, isFirstNew } = look
  const found = useMemo(() => findMessage(id), [id])
  const message = found.value
  if (!message) return null
  return (
    <>
      {hasDay && <DayLine time={message.timestamp * 1000} />}
      {isFirstNew && <UnreadLine count={newCount} />}
      {hasBar && <Bar message={message} />}
      <li class="Row" data-id={id} data-head={hasHead || undefined} data-look={lookOf(message)}>
        <Article message={message} hasHead={hasHead} />
      </li>
    </>
  )
}

/** Rows that mention the reader have a ground of their own. */
function lookOf({ flags }: WindowMessage): 'about-you' | undefined {
  return flags & (flagBits.mentioned | flagBits.wildcard_mentioned) ? 'about-you' : undefined
}

function Article({ message, hasHead }: { message: WindowMessage; hasHead: boolean }) {
  const { id, sender_id, content, is_me_message, submessages, reactions } = message
  const part = (name: string) => `m${id}-${name}`
  const isEdited = useComputed(() => editedMessage.value === id)
  const isActive = useComputed(() => activeMessage.value === id)
  const parts = ['name', 'body', 'time', 'marks'].map(part).join(' ')
  return (
    <article class="Row-message" tabIndex={-1} aria-labelledby={parts}>
      {hasHead && !is_me_message ? (
        <RowHead message={message} />
      ) : (
        <span class="Spoken" id={part('name')}>
          {nameOf(sender_id)}
        </span>
      )}
      <div class="Row-content">
        {isEdited.value ? (
          <EditRow message={message} />
        ) : is_me_message ? (
          <MeMessage message={message} />
        ) : submessages.length > 0 ? (
          <Widget message={message} />
        ) : (
          <Body html={content} id={part('body')} />
        )}
        {reactions.length > 0 && <Reactions message={message} />}
      </div>
      {(!hasHead || is_me_message) && <Time message={message} />}
      <Marks message={message} />
      {isActive.value && !isEdited.value && <Toolbar message={message} />}
    </article>
  )
}

/** Picture, name and time of the sender. */
function RowHead({ message }: { message: WindowMessage }) {
  const { id, sender_id } = message
  const person = peopleById.value.get(sender_id)
  const name = nameOf(sender_id)
  return (
    <header class="RowHead">
      <Avatar url={avatarOf(sender_id)} name={name} size="l" />
      <a class="RowHead-name" id={`m${id}-name`} href={`#people/${sender_id}`} tabIndex={-1}>
        <bdi>{name}</bdi>
      </a>
      {person?.is_bot && <span class="RowHead-kind">{t('message.bot')}</span>}
      {person?.is_guest && <span class="RowHead-kind">{t('message.guest')}</span>}
      <Time message={message} />
    </header>
  )
}

function MeMessage({ message }: { message: WindowMessage }) {
  const { id, sender_id, content } = message
  const name = nameOf(sender_id)
  return (
    <div class="Row-me">
      <Avatar url={avatarOf(sender_id)} name={name} />
      <b aria-hidden="true">
        <bdi>{name}</bdi>
      </b>
      <Body html={content.replace(/^<p>\/me /, '<p>')} id={`m${id}-body`} />
    </div>
  )
}

function Time({ message: { id, timestamp } }: { message: WindowMessage }) {
  const time = timestamp * 1000
  return (
    <time
      class="Row-time"
      id={`m${id}-time`}
      dateTime={new Date(time).toISOString()}
      title={formatDateTime(time)}
    >
      {formatTime(time)}
    </time>
  )
}

/** Says whether the message is starred or edited. */
function Marks({ message }: { message: WindowMessage }) {
  const { id, flags, last_edit_timestamp } = message
  const isStarred = (flags & flagBits.starred) !== 0
  if (!isStarred && last_edit_timestamp === undefined) return null
  return (
    <span class="Row-marks" id={`m${id}-marks`}>
      {isStarred && (
        <span class="Row-star" title={t('message.starred')}>
          <Icon name="star" />
          <span class="Spoken">{t('message.starred')}</span>
        </span>
      )}
      {last_edit_timestamp !== undefined && (
        <span title={t('message.edited_at', { time: formatDateTime(last_edit_timestamp * 1000) })}>
          {t('message.edited')}
        </span>
      )}
    </span>
  )
}
