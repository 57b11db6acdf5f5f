import './Row.css'
import { flagBits, type WindowMessage } from '@oxbow/sdk/windows'
import { useComputed } from '@preact/signals'
import { useMemo, useState } from 'preact/hooks'
import { noTopic } from '../composer/submit.ts'
import { UnsentActions } from '../composer/UnsentActions.tsx'
import { openDialog } from '../data/dialogs.ts'
import { activeMessage, editedMessage } from '../data/editing.ts'
import { isPersonMuted } from '../data/muted-people.ts'
import { avatarOf, nameOf } from '../data/names.ts'
import { type OutboxEntry, rowKeyOf } from '../data/outbox.ts'
import { peopleById } from '../data/people.ts'
import { ownId } from '../data/store.ts'
import { findMessage } from '../data/windows.ts'
import { isPhone } from '../shell/panes.ts'
import { formatDateTime, formatTime } from '../text/dates.ts'
import { t } from '../text/t.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Bar } from './Bar.tsx'
import { Body } from './Body.tsx'
import { ConversationLink } from './ConversationLink.tsx'
import { DayLine } from './DayLine.tsx'
import { EditRow } from './EditRow.tsx'
import { FoldedBody } from './FoldedBody.tsx'
import { useHighlight } from './highlights.ts'
import { MutedMessage } from './MutedMessage.tsx'
import { Reactions } from './Reactions.tsx'
import type { RowLook } from './rows.ts'
import { Toolbar } from './Toolbar.tsx'
import { UnreadLine } from './UnreadLine.tsx'
import { Widget } from './Widget.tsx'

interface RowProps {
  look: RowLook
  newCount: number
  /** Set for messages that the server has not stored yet. */
  unsent?: UnsentMessage
}

/** An unsent message, and its preview as a stored message. */
export interface UnsentMessage {
  entry: OutboxEntry
  echo: WindowMessage
}

/** A message in a list, with the separators above it. */
export function Row({ look, newCount, unsent }: RowProps) {
  const { id, hasBar, hasDay, hasHead, isFirstNew, hasLink } = look
  const isUnsent = unsent !== undefined
  const found = useMemo(() => (isUnsent ? undefined : findMessage(id)), [id, isUnsent])
  const message = unsent?.echo ?? found?.value
  if (!message) return null
  const entry = unsent?.entry
  return (
    <>
      {hasDay && <DayLine time={message.timestamp * 1000} />}
      {isFirstNew && <UnreadLine count={newCount} />}
      {hasBar && <Bar message={message} />}
      <li
        class={entry ? 'Row Row-unsent' : 'Row'}
        data-id={entry ? undefined : id}
        data-state={entry?.state}
        data-head={hasHead || undefined}
        data-look={lookOf(message)}
      >
        <Article
          message={message}
          name={entry?.local_id ?? rowKeyOf(id)}
          hasHead={hasHead}
          hasLink={hasLink}
          entry={entry}
        />
      </li>
    </>
  )
}

/** Rows that mention the user have a background of their own. */
function lookOf({ flags }: WindowMessage): 'about-you' | undefined {
  return flags & (flagBits.mentioned | flagBits.wildcard_mentioned) ? 'about-you' : undefined
}

interface ArticleProps {
  message: WindowMessage
  /** Prefix of the ids of the row's elements. */
  name: string
  hasHead: boolean
  hasLink: true | undefined
  entry: OutboxEntry | undefined
}

function Article({ message, name, hasHead, hasLink, entry }: ArticleProps) {
  const { id, sender_id, content, is_me_message, submessages, reactions } = message
  const part = (which: string) => `m${name}-${which}`
  const isEdited = useComputed(() => editedMessage.value === id)
  const isActive = useComputed(() => activeMessage.value === id)
  const [isRevealed, setRevealed] = useState(false)
  const isHidden = isPersonMuted(sender_id) && !isRevealed
  // On phones the toolbar would cover it beside the time.
  const isLinkBelow = hasLink && (is_me_message || isPhone.value)
  const html = useHighlight(id)?.match_content ?? content
  const parts = ['name', 'body', 'time', 'marks'].map(part).join(' ')
  return (
    <article class="Row-message" tabIndex={-1} aria-labelledby={parts}>
      {hasHead && !is_me_message ? (
        <RowHead message={message} part={part} hasLink={hasLink && !isLinkBelow} />
      ) : (
        <span class="Spoken" id={part('name')}>
          {nameOf(sender_id)}
        </span>
      )}
      <div class="Row-content">
        {isHidden ? (
          <MutedMessage id={part('body')} onShow={() => setRevealed(true)} />
        ) : isEdited.value ? (
          <EditRow message={message} />
        ) : is_me_message ? (
          <MeMessage message={message} html={html} part={part} />
        ) : submessages.length > 0 ? (
          <Widget message={message} part={part('body')} />
        ) : (
          <FoldedBody html={html} id={part('body')} messageId={id} />
        )}
        {reactions.length > 0 && !isHidden && <Reactions message={message} />}
        {isLinkBelow && <ConversationLink message={message} />}
        {entry ? <UnsentActions entry={entry} /> : <NameTopic message={message} />}
      </div>
      {(!hasHead || is_me_message) && <Time message={message} part={part} />}
      <Marks message={message} part={part} />
      {isActive.value && !isEdited.value && <Toolbar message={message} />}
    </article>
  )
}

/** Offers a topic to those who sent a message without one. */
function NameTopic({ message }: { message: WindowMessage }) {
  const { stream_id, topic, sender_id } = message
  if (stream_id === undefined || topic !== noTopic || sender_id !== ownId.value) return null
  return (
    <Button
      look="plain"
      icon="pencil"
      onClick={() => {
        openDialog.value = { kind: 'move', message, scope: 'change_all' }
      }}
    >
      {t('message.name_topic')}
    </Button>
  )
}

interface PartProps {
  message: WindowMessage
  /** Returns the id of an element. */
  part(which: string): string
}

/** Picture, name and time of the sender. */
function RowHead({ message, part, hasLink }: PartProps & { hasLink: boolean | undefined }) {
  const { sender_id } = message
  const person = peopleById.value.get(sender_id)
  const name = nameOf(sender_id)
  return (
    <header class="RowHead">
      <span data-card={sender_id}>
        <Avatar url={avatarOf(sender_id)} name={name} size="l" />
      </span>
      <a
        class="RowHead-name"
        id={part('name')}
        href={`#people/${sender_id}`}
        tabIndex={-1}
        data-card={sender_id}
      >
        <bdi>{name}</bdi>
      </a>
      {person?.is_bot && <span class="RowHead-kind">{t('message.bot')}</span>}
      {person?.is_guest && <span class="RowHead-kind">{t('message.guest')}</span>}
      <Time message={message} part={part} />
      {hasLink && <ConversationLink message={message} />}
    </header>
  )
}

function MeMessage({ message, html, part }: PartProps & { html: string }) {
  const { sender_id } = message
  const name = nameOf(sender_id)
  return (
    <div class="Row-me">
      <Avatar url={avatarOf(sender_id)} name={name} />
      <b aria-hidden="true" data-card={sender_id}>
        <bdi>{name}</bdi>
      </b>
      <Body html={html.replace(/^<p>\/me /, '<p>')} id={part('body')} />
    </div>
  )
}

function Time({ message: { timestamp }, part }: PartProps) {
  const time = timestamp * 1000
  return (
    <time
      class="Row-time"
      id={part('time')}
      dateTime={new Date(time).toISOString()}
      title={formatDateTime(time)}
    >
      {formatTime(time)}
    </time>
  )
}

/** Shows whether the message is starred or edited. */
function Marks({ message, part }: PartProps) {
  const { flags, last_edit_timestamp } = message
  const isStarred = (flags & flagBits.starred) !== 0
  if (!isStarred && last_edit_timestamp === undefined) return null
  return (
    <span class="Row-marks" id={part('marks')}>
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
