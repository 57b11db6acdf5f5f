import './Row.css'
import { flagBits, type WindowMessage } from '@oxbow/sdk/windows'
import { useComputed } from '@preact/signals'
import { useMemo, useState } from 'preact/hooks'
import { formatDateTime, formatTime } from '../client/formats/dates.ts'
import { activeMessage, editedMessage } from '../client/messages/editing.ts'
import { findMessage } from '../client/messages/windows.ts'
import { showDialog } from '../client/open-dialogs.ts'
import { isPersonMuted } from '../client/people/muted-people.ts'
import { avatarOf, nameOf } from '../client/people/names.ts'
import { peopleById } from '../client/people/people.ts'
import { ownId } from '../client/store.ts'
import { type OutboxEntry, rowKeyOf } from '../client/writing/outbox.ts'
import { noTopic } from '../composer/submit.ts'
import { UnsentActions } from '../composer/UnsentActions.tsx'
import { isPhone } from '../frame/panes.ts'
import { Body } from '../message-text/Body.tsx'
import { FoldedBody } from '../message-text/FoldedBody.tsx'
import { t } from '../text/t.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Bar } from './Bar.tsx'
import { EditRow } from './EditRow.tsx'
import { useHighlight } from './highlights.ts'
import { Reactions } from './Reactions.tsx'
import { ConversationLink, DayLine, MutedMessage, UnreadLine } from './RowParts.tsx'
import type { RowLayout } from './rows.ts'
import { Toolbar } from './Toolbar.tsx'
import { Widget } from './Widget.tsx'

interface RowProps {
  layout: RowLayout
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
export function Row({ layout, newCount, unsent }: RowProps) {
  const { id, hasBar, hasDay, hasHead, isFirstNew, hasLink } = layout
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
        data-look={rowStyle(message)}
      >
        <Article
          message={message}
          idPrefix={entry?.local_id ?? rowKeyOf(id)}
          hasHead={hasHead}
          hasLink={hasLink}
          entry={entry}
        />
      </li>
    </>
  )
}

/** Returns the style of a row: messages that mention the user have a different background. */
function rowStyle({ flags }: WindowMessage): 'mentioned' | undefined {
  return flags & (flagBits.mentioned | flagBits.wildcard_mentioned) ? 'mentioned' : undefined
}

interface ArticleProps {
  message: WindowMessage
  /** Prefix of the row's element ids. */
  idPrefix: string
  hasHead: boolean
  hasLink: true | undefined
  entry: OutboxEntry | undefined
}

function Article({ message, idPrefix, hasHead, hasLink, entry }: ArticleProps) {
  const { id, sender_id, content, is_me_message, submessages, reactions } = message
  const elementId = (part: string) => `m${idPrefix}-${part}`
  const isEdited = useComputed(() => editedMessage.value === id)
  const isActive = useComputed(() => activeMessage.value === id)
  const [isRevealed, setRevealed] = useState(false)
  const isHidden = isPersonMuted(sender_id) && !isRevealed
  // On phones the toolbar would cover a link beside the time.
  const isLinkBelow = hasLink && (is_me_message || isPhone.value)
  const html = useHighlight(id)?.match_content ?? content
  const labelIds = ['name', 'body', 'time', 'marks'].map(elementId).join(' ')
  return (
    <article class="Row-message" tabIndex={-1} aria-labelledby={labelIds}>
      {hasHead && !is_me_message ? (
        <RowHead message={message} elementId={elementId} hasLink={hasLink && !isLinkBelow} />
      ) : (
        <span class="Spoken" id={elementId('name')}>
          {nameOf(sender_id)}
        </span>
      )}
      <div class="Row-content">
        {isHidden ? (
          <MutedMessage id={elementId('body')} onShow={() => setRevealed(true)} />
        ) : isEdited.value ? (
          <EditRow message={message} />
        ) : is_me_message ? (
          <MeMessage message={message} html={html} elementId={elementId} />
        ) : submessages.length > 0 ? (
          <Widget message={message} part={elementId('body')} />
        ) : (
          <FoldedBody html={html} id={elementId('body')} messageId={id} />
        )}
        {!isHidden && !isEdited.value && <Marks message={message} id={elementId('marks')} />}
        {reactions.length > 0 && !isHidden && <Reactions message={message} />}
        {isLinkBelow && <ConversationLink message={message} />}
        {entry ? <UnsentActions entry={entry} /> : <NameTopic message={message} />}
      </div>
      {(!hasHead || is_me_message) && <Time message={message} elementId={elementId} />}
      {isActive.value && !isEdited.value && <Toolbar message={message} />}
    </article>
  )
}

/** Offers to name the topic of a message that the user sent without one. */
function NameTopic({ message }: { message: WindowMessage }) {
  const { stream_id, topic, sender_id } = message
  if (stream_id === undefined || topic !== noTopic || sender_id !== ownId.value) return null
  return (
    <Button
      look="plain"
      icon="pencil"
      onClick={() => showDialog({ kind: 'move', message, scope: 'change_all' })}
    >
      {t('message.name_topic')}
    </Button>
  )
}

interface PartProps {
  message: WindowMessage
  /** Returns the id of an element in the row. */
  elementId(part: string): string
}

/** Avatar and name of the sender, and the time of the message. */
function RowHead({ message, elementId, hasLink }: PartProps & { hasLink: boolean | undefined }) {
  const { sender_id } = message
  const person = peopleById.value.get(sender_id)
  const name = nameOf(sender_id)
  return (
    <header class="RowHead">
      <span data-card={sender_id}>
        <Avatar user_id={sender_id} url={avatarOf(sender_id)} name={name} size="l" />
      </span>
      <a
        class="Cut RowHead-name"
        id={elementId('name')}
        href={`#people/${sender_id}`}
        tabIndex={-1}
        data-card={sender_id}
      >
        <bdi>{name}</bdi>
      </a>
      {person?.is_bot && <span class="RowHead-kind">{t('message.bot')}</span>}
      {person?.is_guest && <span class="RowHead-kind">{t('message.guest')}</span>}
      <Time message={message} elementId={elementId} />
      {hasLink && <ConversationLink message={message} />}
    </header>
  )
}

function MeMessage({ message, html, elementId }: PartProps & { html: string }) {
  const { sender_id } = message
  const name = nameOf(sender_id)
  return (
    <div class="Row-me">
      <Avatar user_id={sender_id} url={avatarOf(sender_id)} name={name} />
      <b aria-hidden="true" data-card={sender_id}>
        <bdi>{name}</bdi>
      </b>
      <Body html={html.replace(/^<p>\/me /, '<p>')} id={elementId('body')} />
    </div>
  )
}

function Time({ message: { timestamp }, elementId }: PartProps) {
  const time = timestamp * 1000
  return (
    <time
      class="Row-time"
      id={elementId('time')}
      dateTime={new Date(time).toISOString()}
      title={formatDateTime(time)}
    >
      {formatTime(time)}
    </time>
  )
}

/** Shows whether the message is starred or edited. */
function Marks({ message, id }: { message: WindowMessage; id: string }) {
  const { flags, last_edit_timestamp } = message
  const isStarred = (flags & flagBits.starred) !== 0
  if (!isStarred && last_edit_timestamp === undefined) return null
  return (
    <span class="Row-marks" id={id}>
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
