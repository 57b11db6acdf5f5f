import './Conversation.css'
import { untracked, useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { othersOf, type Target } from '../client/conversations/target.ts'
import { unreadByStream, unreadMentions, unreadPrivate } from '../client/conversations/unread.ts'
import { noteOpenWindow } from '../client/messages/open-window.ts'
import { type ShownWindow, showWindow } from '../client/messages/windows.ts'
import { writeHash } from '../client/route/hash.ts'
import type { ListPosition, Route } from '../client/route/route.ts'
import { route } from '../client/route/router.ts'
import { streamIdsByName } from '../client/streams/streams.ts'
import { unsentOf } from '../client/writing/outbox.ts'
import { SearchWindow } from '../messages/highlights.ts'
import { ListModel, type ScrollTarget } from '../messages/list-model.ts'
import { MessageList } from '../messages/MessageList.tsx'
import { readSavedScroll } from '../messages/saved-scroll.ts'
import { NoStreamText } from '../streams/NoStream.tsx'
import { t } from '../text/t.ts'
import { ListLoading } from '../ui/ListLoading.tsx'
import { ConversationFrame } from './ConversationFrame.tsx'
import { EmptyList, LinkNotice, ListError, ListTrouble, SearchProblem } from './ConversationStates.tsx'
import {
  type ConversationView,
  findUnread,
  isMixed,
  isSparse,
  type ListKind,
  marksRead,
  readView,
} from './conversation-view.ts'
import { followMovedMessage, openAtDate } from './find-linked.ts'

/** A list of messages: of a topic, a private conversation, a stream, or of several conversations. */
export function Conversation() {
  const current = route.value
  if (current.view !== 'narrow') return null
  const view = untracked(() => readView(current, (name) => streamIdsByName.value.get(name)))
  if (!view) return <Unknown current={current} />
  if (current.at.date !== undefined)
    return <FindDate key={writeHash(current)} view={view} current={current} date={current.at.date} />
  // The key creates a new list for each view, and for another scroll position in the same view.
  return <Opened key={writeHash(current)} view={view} current={current} />
}

type NarrowRoute = Extract<Route, { view: 'narrow' }>

/** Resolves a link with a date: fetches the first message of that day, and opens the list there. */
function FindDate({ view, current, date }: { view: ConversationView; current: NarrowRoute; date: string }) {
  const failure = useSignal<unknown>(undefined)
  const find = () => {
    failure.value = undefined
    openAtDate(current, view.narrow, date).catch((error: unknown) => {
      failure.value = error
    })
  }
  useEffect(find, [])
  return (
    <ConversationFrame list={view.list}>
      {failure.value === undefined ? (
        <ListLoading />
      ) : (
        <ListError error={failure.value} list={view.list} onRetry={find} />
      )}
    </ConversationFrame>
  )
}

/** Shown for a link whose streams or people are not known. */
function Unknown({ current }: { current: NarrowRoute }) {
  return (
    <ConversationFrame list={{ kind: 'search' }}>
      {isStreamLink(current) ? <NoStreamText /> : <SearchProblem />}
    </ConversationFrame>
  )
}

/** Returns whether a link names a stream, or one of its topics, and nothing else. */
const isStreamLink = ({ terms }: NarrowRoute): boolean =>
  terms.every(({ operator, negated }) => !negated && (operator === 'stream' || operator === 'topic'))

function Opened({ view, current }: { view: ConversationView; current: NarrowRoute }) {
  // The initial scroll position is computed once, so that the list never scrolls without input
  // later.
  const opened = useMemo(() => untracked(() => openView(view, current.at)), [view.list.kind])
  useEffect(() => {
    const end = noteOpenWindow(opened.shown)
    return () => {
      end()
      opened.shown.close()
    }
  }, [opened])
  return (
    <ConversationFrame list={view.list}>
      <FindMoved opened={opened} current={current} />
      <LinkNotice />
      <SearchWindow.Provider value={view.list.kind === 'search' ? opened.shown.current : undefined}>
        <List view={view} opened={opened} />
      </SearchWindow.Provider>
    </ConversationFrame>
  )
}

/** Searches for the message of a link if the loaded list does not contain it. */
function FindMoved({ opened: { shown }, current }: { opened: OpenedView; current: NarrowRoute }) {
  const { near } = current.at
  const ids = shown.segment.value?.ids
  const isMissing = near !== undefined && ids !== undefined && !ids.includes(near)
  useEffect(() => {
    if (isMissing) void followMovedMessage(current, near)
  }, [isMissing])
  return null
}

/** Returns the target of messages that are written in a view. */
function targetOf(list: ListKind): Target | undefined {
  if (list.kind === 'topic') return { type: 'stream', stream_id: list.stream_id, topic: list.topic }
  if (list.kind === 'stream') return { type: 'stream', stream_id: list.stream_id }
  return list.kind === 'private' ? { type: 'private', user_ids: othersOf(list.user_ids) } : undefined
}

interface OpenedView {
  shown: ShownWindow
  model: ListModel
  newCount: number
}

function openView({ list, narrow }: ConversationView, at: ListPosition): OpenedView {
  const unread = findUnread(list.kind === 'private' ? { ...list, user_ids: othersOf(list.user_ids) } : list, {
    topics: [...unreadByStream.value.values()].flatMap(({ topics }) => topics),
    conversations: unreadPrivate.value,
    mentions: unreadMentions.value,
  })
  const scrollTarget = chooseScrollTarget(at, unread.first)
  const shown = showWindow(narrow, 'id' in scrollTarget ? scrollTarget.id : 'newest')
  const model = new ListModel({
    window: shown,
    scrollTarget,
    hasBars: isMixed(list),
    isSparse: isSparse(list),
    firstNew: unread.first,
  })
  return { shown, model, newCount: unread.count }
}

/**
 * Chooses the scroll position: a link opens at its message, back and reload at the earlier
 * position; otherwise the list opens at the first unread message, or at the end.
 */
function chooseScrollTarget({ near }: ListPosition, firstUnread: number | undefined): ScrollTarget {
  const before = readSavedScroll()
  if (before) return { kind: 'restored', ...before }
  if (near !== undefined) return { kind: 'message', id: near, share: 0.3, isMarked: true }
  return firstUnread === undefined ? { kind: 'end' } : { kind: 'message', id: firstUnread, share: 0.25 }
}

function List({ view: { list }, opened }: { view: ConversationView; opened: OpenedView }) {
  const { shown, model, newCount } = opened
  const segment = shown.segment.value
  const { error } = shown.current.value
  if (!segment)
    return error === undefined ? (
      <ListLoading />
    ) : (
      <ListError error={error} list={list} onRetry={() => void shown.refresh().catch(() => {})} />
    )
  const target = targetOf(list)
  if (segment.ids.length === 0 && !(target && unsentOf(target).length > 0)) return <EmptyList list={list} />
  return (
    <>
      {error !== undefined && <ListTrouble onRetry={() => void shown.refresh().catch(() => {})} />}
      <MessageList
        model={model}
        label={t('messages.list')}
        newCount={newCount}
        marksRead={marksRead(list)}
        target={target}
      />
    </>
  )
}
