import type { UserId } from '@oxbow/contract'
import type { ConversationSummary } from '../client/conversations/conversation-facts.ts'
import { countedPrivate, unreadByStream } from '../client/conversations/unread.ts'
import { nameOf } from '../client/people/names.ts'
import { ownId } from '../client/store.ts'
import { type KnownStream, kindOf, knownStreams, streamsById } from '../client/streams/streams.ts'
import { firstLine } from '../message-text/first-line.ts'
import { PersonFace } from '../people/PersonFace.tsx'
import { t } from '../text/t.ts'
import { Count } from '../ui/Count.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Keys } from '../ui/Keys.tsx'
import { StreamShape } from '../ui/StreamShape.tsx'
import type { JumpRow } from './sections.ts'

export interface JumpOptionProps {
  id: string
  row: JumpRow
  isActive: boolean
  onChoose: (isNewTab: boolean) => void
}

/** A row of the jump dialog. The field keeps the focus. */
export function JumpOption({ id, row, isActive, onChoose }: JumpOptionProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and refers to the active option.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
    <div
      id={id}
      class="Jump-row"
      role="option"
      aria-selected={isActive}
      // The field must not lose the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={({ ctrlKey, metaKey }) => onChoose(ctrlKey || metaKey)}
    >
      <Content row={row} />
    </div>
  )
}

function Content({ row }: { row: JumpRow }) {
  switch (row.kind) {
    case 'conversation':
      return <ConversationContent conversation={row.conversation} />
    case 'stream':
      return <StreamContent stream={row.stream} />
    case 'person':
      return <PersonContent user_id={row.person.user_id} isBot={row.person.is_bot} />
    case 'command': {
      const { icon, key, shownKeys = key } = row.command
      return (
        <>
          <Mark>
            <Icon name={icon} />
          </Mark>
          <span class="Cut Jump-name">{row.command.text()}</span>
          {shownKeys && <Keys keys={shownKeys} />}
        </>
      )
    }
    case 'search':
      return (
        <>
          <Mark>
            <Icon name="search" />
          </Mark>
          <span class="Cut Jump-name">{t('jump.search', { text: row.text })}</span>
          <Keys keys="Shift+Enter" />
        </>
      )
  }
}

const Mark = ({ children }: { children: preact.ComponentChildren }) => (
  <span class="Jump-mark" aria-hidden="true">
    {children}
  </span>
)

function ConversationContent({ conversation }: { conversation: ConversationSummary }) {
  const { target, stream, name, unread, hasMention, isMuted } = conversation
  const known = target.type === 'stream' ? knownStreams.value.get(target.stream_id) : undefined
  const isPrivate = target.type === 'private'
  return (
    <>
      <Mark>
        {known && <Shape stream={known} />}
        {isPrivate && target.user_ids.length > 1 && <Icon name="users" />}
        {isPrivate && target.user_ids.length === 1 && (
          <PersonFace user_id={target.user_ids[0] as UserId} size="s" />
        )}
      </Mark>
      {!isPrivate && (
        <span class="Cut Jump-stream">
          <bdi>{stream}</bdi>
          <span class="Jump-arrow"> › </span>
        </span>
      )}
      <span class={unread > 0 && !isMuted ? 'Cut Jump-name Jump-strong' : 'Cut Jump-name'}>
        <bdi>{name}</bdi>
      </span>
      <Count
        count={unread}
        label={t(isMuted ? 'nav.muted_unread' : 'nav.unread', { count: unread })}
        look={isMuted ? 'muted' : isPrivate || hasMention ? 'about-you' : 'usual'}
      />
    </>
  )
}

const Shape = ({ stream }: { stream: KnownStream }) => (
  <StreamShape kind={kindOf(stream)} color={'color' in stream ? stream.color : 'var(--control)'} />
)

function StreamContent({ stream }: { stream: KnownStream }) {
  const isIn = streamsById.value.has(stream.stream_id)
  const count = unreadByStream.value.get(stream.stream_id)?.count ?? 0
  return (
    <>
      <Mark>
        <Shape stream={stream} />
      </Mark>
      <span class="Cut Jump-name">
        <bdi>{stream.name}</bdi>
      </span>
      <span class="Cut Jump-detail">
        {isIn ? <bdi>{firstLine(stream.rendered_description)}</bdi> : t('jump.not_in')}
      </span>
      <Count count={count} label={t('nav.unread', { count })} />
    </>
  )
}

function PersonContent({ user_id, isBot }: { user_id: UserId; isBot: boolean }) {
  const count =
    countedPrivate.value.find(({ user_ids }) => user_ids.length === 1 && user_ids[0] === user_id)?.ids
      .length ?? 0
  return (
    <>
      <Mark>
        <PersonFace user_id={user_id} size="s" />
      </Mark>
      <span class="Cut Jump-name">
        <bdi>{nameOf(user_id)}</bdi>
      </span>
      {(isBot || user_id === ownId.value) && (
        <span class="Cut Jump-detail">{t(isBot ? 'typeahead.bot' : 'typeahead.you')}</span>
      )}
      <Count count={count} label={t('nav.unread', { count })} look="about-you" />
    </>
  )
}
