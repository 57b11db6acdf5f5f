import { useEffect, useState } from 'preact/hooks'
import { nameOf } from '../data/names.ts'
import { othersOf } from '../data/people.ts'
import { lazyView } from '../router/lazy-view.tsx'
import { NoStreamText } from '../streams/NoStream.tsx'
import { formatList } from '../text/dates.ts'
import { type Key, t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import type { IconName } from '../ui/icon-names.generated.ts'
import type { ListKind } from './conversation-view.ts'

const SearchEmpty = lazyView(() => import('../search/SearchEmpty.tsx').then((module) => module.SearchEmpty))

/** Replaces the results of a search that the server refuses. */
export const SearchProblem = lazyView(() =>
  import('../search/SearchProblem.tsx').then((module) => module.SearchProblem),
)

/** A placeholder is shown only if loading takes longer than this. */
const placeholderDelayMs = 150

/** Placeholders for messages that are being loaded. */
export function ListLoading() {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), placeholderDelayMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div class="ListLoading" role="status" aria-label={t('messages.loading')}>
      {isShown && [3, 1, 2, 4, 1, 2, 3, 2].map((lines, index) => <Block key={index} lines={lines} />)}
    </div>
  )
}

const Block = ({ lines }: { lines: number }) => (
  <div class="ListLoading-row" aria-hidden="true">
    <span class="ListLoading-face" />
    <span class="ListLoading-name" />
    {Array.from({ length: lines }, (_, line) => (
      <span key={line} class="ListLoading-line" data-last={line === lines - 1 || undefined} />
    ))}
  </div>
)

/** Shows an error in place of messages that could not be loaded. */
export function ListError({ error, list, onRetry }: { error: unknown; list: ListKind; onRetry: () => void }) {
  const { body, message } = error as { body?: { code?: unknown }; message?: string }
  if (body?.code === 'BAD_NARROW')
    return 'stream_id' in list ? <NoStreamText stream_id={list.stream_id} /> : <SearchProblem />
  return (
    <Empty icon="triangle-alert" title={t('messages.failed')} text={message ?? ''}>
      <Button look="primary" icon="refresh-cw" onClick={onRetry}>
        {t('messages.retry')}
      </Button>
    </Empty>
  )
}

/** Shows over a list that a part of it could not be loaded. */
export function ListTrouble({ onRetry }: { onRetry: () => void }) {
  return (
    <div class="ListTrouble" role="status">
      {t('messages.part_failed')}
      <Button look="plain" onClick={onRetry}>
        {t('messages.retry')}
      </Button>
    </div>
  )
}

const empty: Record<Exclude<ListKind['kind'], 'private' | 'search'>, [IconName, Key, Key]> = {
  topic: ['message-square', 'empty.topic', 'empty.topic_hint'],
  stream: ['hash', 'empty.stream', 'empty.stream_hint'],
  'all private': ['messages-square', 'empty.private', 'empty.private_hint'],
  mentions: ['at-sign', 'empty.mentions', 'empty.mentions_hint'],
  starred: ['star', 'empty.starred', 'empty.starred_hint'],
  alerts: ['bell', 'empty.alerts', 'empty.alerts_hint'],
  all: ['inbox', 'empty.all', 'empty.all_hint'],
}

/** Explains in an empty list what it would contain. */
export function EmptyList({ list }: { list: ListKind }) {
  if (list.kind === 'search') return <SearchEmpty />
  if (list.kind === 'private') {
    const names = formatList(othersOf(list.user_ids).map(nameOf))
    return (
      <Empty
        icon="message-square"
        title={t('empty.conversation', { names })}
        text={t('empty.conversation_hint')}
      />
    )
  }
  const [icon, title, text] = empty[list.kind]
  return <Empty icon={icon} title={t(title as 'empty.topic')} text={t(text as 'empty.topic')} />
}
