import './MessageList.css'
import type { MessageId, UserId } from '@oxbow/contract'
import { flagBits, type WindowMessage } from '@oxbow/sdk/windows'
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { Target } from '../client/conversations/target.ts'
import { forgetActiveRow, noteActiveRow } from '../client/messages/editing.ts'
import { ownId } from '../client/store.ts'
import { type OutboxEntry, rowKeyOf, unsentOf } from '../client/writing/outbox.ts'
import { t } from '../text/t.ts'
import { Icon } from '../ui/Icon.tsx'
import { ListController } from './list-controller.ts'
import type { ListModel } from './list-model.ts'
import { Row, type UnsentMessage } from './Row.tsx'
import type { RowLayout } from './rows.ts'

export interface MessageListProps {
  model: ListModel
  /** Accessible name of the list. */
  label: string
  /** Number of unread messages when the view was opened. */
  newCount: number
  /** Whether viewing messages marks them as read. */
  marksRead: boolean
  /** The target of messages that are written in this view. */
  target: Target | undefined
}

/** A scrolling list of messages. Each view needs its own instance, with its own key. */
export function MessageList({ model, label, newCount, marksRead, target }: MessageListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const arrived = useSignal(0)
  const isFar = useSignal(false)
  const controller = useMemo(
    () => new ListController(model, { marksRead, arrived, isFar }),
    [model, marksRead, arrived, isFar],
  )
  const cache = useRef(new Map<RowLayout, VNode>())
  const rows = model.rows.value
  const unsent = listUnsent(target)
  // Called before the rows change, to keep the scroll position.
  controller.beforeChange()
  useLayoutEffect(() => {
    if (scroller.current) controller.attach(scroller.current)
  }, [controller])
  useLayoutEffect(() => controller.afterChange(), [controller, rows])
  useLayoutEffect(() => controller.showUnsent(unsent.length), [controller, unsent.length])
  useEffect(() => () => controller.detach(), [controller])
  const rendered = new Map(
    rows.map((layout) => [
      layout,
      cache.current.get(layout) ?? <Row key={rowKeyOf(layout.id)} layout={layout} newCount={newCount} />,
    ]),
  )
  cache.current = rendered
  const unsentLayouts = model.layOutUnsent(unsent.map(({ echo }) => echo))
  return (
    <div class="MessageList">
      <div class="MessageList-scroller" ref={scroller} tabIndex={-1}>
        <ol
          class="MessageList-rows"
          aria-label={label}
          onPointerOver={noteActiveRow}
          onPointerLeave={(event) => {
            // A finger leaves the row whenever it is lifted, so only a mouse deactivates the row.
            if (event.pointerType === 'mouse') forgetActiveRow()
          }}
          onFocusIn={noteActiveRow}
        >
          {[
            ...rendered.values(),
            // Unsent messages are in the same list, so that their rows are reused once they are sent.
            ...unsent.map((message, index) => (
              <Row
                key={message.entry.local_id}
                layout={unsentLayouts[index] as RowLayout}
                newCount={newCount}
                unsent={message}
              />
            )),
          ]}
        </ol>
      </div>
      <Pill count={arrived.value} isFar={isFar.value} onClick={() => void model.go('end')} />
      <Announcer text={controller.announced.value} />
    </div>
  )
}

function listUnsent(target: Target | undefined): UnsentMessage[] {
  const own = ownId.value
  if (!target || own === undefined) return []
  return unsentOf(target).map((entry, index) => ({ entry, echo: echoOf(entry, index, own) }))
}

/** A button that scrolls to the newest messages, shown while the user is reading older ones. */
function Pill({ count, isFar, onClick }: { count: number; isFar: boolean; onClick: () => void }) {
  if (count === 0 && !isFar) return null
  return (
    <button type="button" class="MessageList-pill" data-new={count > 0 || undefined} onClick={onClick}>
      <Icon name="arrow-down" />
      {count > 0 ? t('messages.arrived', { count }) : t('messages.newest')}
    </button>
  )
}

/** Announces new messages to screen readers. */
const Announcer = ({ text }: { text: string }) => (
  <div class="Spoken" role="log" aria-live="polite">
    {text}
  </div>
)

/**
 * Returns an unsent message in the form of a stored one. The server has not given it an id, so it
 * gets a negative one.
 */
function echoOf(entry: OutboxEntry, index: number, own: UserId): WindowMessage {
  const { target, html, content, created_at } = entry
  const isPrivate = target.type === 'private'
  const people = isPrivate ? [...new Set([...target.user_ids, own])] : undefined
  return {
    id: (-1 - index) as MessageId,
    sender_id: own,
    timestamp: Math.floor(created_at / 1000),
    stream_id: isPrivate ? undefined : target.stream_id,
    topic: isPrivate ? '' : target.topic,
    topic_links: [],
    user_ids: people?.sort((a, b) => a - b),
    content: html,
    is_me_message: content.startsWith('/me ') && html.startsWith('<p>/me '),
    last_edit_timestamp: undefined,
    flags: flagBits.read,
    reactions: [],
    submessages: [],
  }
}
