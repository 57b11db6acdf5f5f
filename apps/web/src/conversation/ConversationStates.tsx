import { othersOf } from '../client/conversations/target.ts'
import { formatList } from '../client/formats/dates.ts'
import { nameOf } from '../client/people/names.ts'
import { lazyView } from '../frame/lazy-view.tsx'
import { NoStreamText } from '../streams/NoStream.tsx'
import { readRefusal } from '../text/refusal.ts'
import { type Key, t } from '../text/t.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import type { IconName } from '../ui/icon-names.generated.ts'
import type { ListKind } from './conversation-view.ts'
import { closeLinkNotice, linkNotice } from './find-linked.ts'

const SearchEmpty = lazyView(() => import('../search/SearchEmpty.tsx').then((module) => module.SearchEmpty))

/** Replaces the results of a search that the server refuses. */
export const SearchProblem = lazyView(() =>
  import('../search/SearchEmpty.tsx').then((module) => module.SearchProblem),
)

/** Shows an error in place of messages that could not be loaded. */
export function ListError({ error, list, onRetry }: { error: unknown; list: ListKind; onRetry: () => void }) {
  const { body } = error as { body?: { code?: unknown } }
  if (body?.code === 'BAD_NARROW')
    return 'stream_id' in list ? <NoStreamText stream_id={list.stream_id} /> : <SearchProblem />
  return (
    <Empty icon="triangle-alert" title={t('messages.failed')} text={readRefusal(error).reason}>
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
  followed: ['bell-ring', 'empty.followed', 'empty.followed_hint'],
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

/** Shows above the list that the linked message was moved or no longer exists. */
export function LinkNotice() {
  const notice = linkNotice.value
  if (!notice) return null
  return (
    <div class="ListTrouble" role="status">
      {notice.kind === 'moved' ? (
        <span>{t('link.moved', { place: notice.place })}</span>
      ) : (
        <span>{t('link.gone')}</span>
      )}
      <IconButton icon="x" label={t('ui.close')} onClick={closeLinkNotice} />
    </div>
  )
}
