import '../ui/Field.css'
import './Recent.css'
import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { describeConversation } from '../client/conversations/conversation-facts.ts'
import {
  loadOlderRecent,
  loadRecent,
  recentConversations,
  recentStatus,
} from '../client/conversations/recent.ts'
import { openRoute } from '../client/route/router.ts'
import { routeOfTarget } from '../client/route/target-route.ts'
import { ownId } from '../client/store.ts'
import { ViewFrame } from '../frame/ViewFrame.tsx'
import { matchName, noMatch } from '../text/match-name.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { FixedList } from '../ui/FixedList.tsx'
import { pixelsOf } from '../ui/fixed-list.ts'
import { ListLoading } from '../ui/ListLoading.tsx'
import { RowsFailed } from '../ui/Loading.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { RecentRow } from './RecentRow.tsx'
import type { RecentItem } from './recent-item.ts'
import { type KeptOrder, keepOrder, readOrder } from './recent-order.ts'

const rowRem = 3.25

const filters = ['unread', 'followed', 'mine', 'private', 'muted'] as const
type Filter = (typeof filters)[number]

/**
 * Predicates of the filters. A conversation is shown if it meets all active filters; a muted one is
 * shown only if the filter `muted` is active.
 */
const predicates: Readonly<Record<Filter, (item: RecentItem) => boolean>> = {
  unread: ({ unread }) => unread > 0,
  followed: ({ isFollowed }) => isFollowed,
  mine: ({ recent }) => recent.sender_ids.some((sender_id) => sender_id === ownId.value),
  private: ({ target }) => target.type === 'private',
  muted: () => true,
}

/** All conversations of the account, the one with the newest message first. */
export function Recent() {
  const box = useRef<HTMLDivElement>(null)
  const isBusy = useBusy(box)
  const chosen = useSignal<readonly Filter[]>([])
  const query = useSignal('')
  const kept = useRef<KeptOrder | undefined>(undefined)
  const all = useComputed(() =>
    recentConversations.value.map(
      (recent): RecentItem => ({ ...describeConversation(recent.target, recent.newest), recent }),
    ),
  )
  useEffect(() => {
    void loadRecent()
  }, [])
  const { isLoaded, hasOlder, problem } = recentStatus.value
  if (!isBusy.value || !kept.current) kept.current = readOrder(all.value)
  const { items, movedCount } = keepOrder(all.value, kept.current)
  const typed = query.value.trim()
  const shown = items.filter(
    (item) =>
      chosen.value.every((filter) => predicates[filter](item)) &&
      (!item.isMuted || chosen.value.includes('muted')) &&
      (typed === '' || matchName(`${item.stream} ${item.name}`, typed) < noMatch),
  )
  const isFiltered = chosen.value.length > 0 || typed !== ''
  const isEmpty = isLoaded && shown.length === 0
  return (
    <ViewFrame title={t('inbox.recent')}>
      <div class="Recent">
        <div class="Recent-tools">
          <fieldset class="Recent-filters">
            <legend class="Spoken">{t('recent.filters')}</legend>
            {filters.map((filter) => (
              <FilterButton key={filter} filter={filter} chosen={chosen} />
            ))}
          </fieldset>
          <input
            class="Field-input Recent-filter"
            type="search"
            aria-label={t('people.filter')}
            placeholder={t('people.filter')}
            value={query.value}
            onInput={({ currentTarget }) => {
              query.value = currentTarget.value
            }}
          />
        </div>
        <div class="Recent-moved" role="status">
          {movedCount > 0 && (
            <>
              {t('recent.moved', { count: movedCount })}
              <Button
                look="plain"
                onClick={() => {
                  isBusy.value = false
                  kept.current = undefined
                }}
              >
                {t('recent.refresh')}
              </Button>
            </>
          )}
        </div>
        {problem && <RowsFailed problem={problem} onRetry={() => void loadOlderRecent()} />}
        {!isLoaded && !problem && <ListLoading />}
        {isEmpty &&
          (isFiltered ? (
            <Empty icon="search" title={t('recent.none')} />
          ) : (
            <Empty icon="clock" title={t('recent.empty')} text={t('recent.empty_hint')} />
          ))}
        <div class="Recent-list" ref={box} hidden={shown.length === 0}>
          <FixedList
            label={t('inbox.recent')}
            items={shown}
            rowHeight={pixelsOf(rowRem)}
            keyOf={({ key }) => key}
            onChoose={({ target }) => openRoute(routeOfTarget(target))}
            // Nothing is loaded while filters are active: they may hide nearly every row, so that all
            // pages would be loaded to fill the list.
            onNearEnd={() => {
              if (isLoaded && !isFiltered && !problem) void loadOlderRecent()
            }}
          >
            {(item, isActive) => <RecentRow item={item} isActive={isActive} />}
          </FixedList>
        </div>
        {isLoaded && hasOlder && isFiltered && (
          <div class="Recent-older">
            <Button onClick={() => void loadOlderRecent()}>{t('recent.older')}</Button>
          </div>
        )}
      </div>
    </ViewFrame>
  )
}

const filterTexts = {
  unread: 'recent.unread',
  followed: 'recent.followed',
  mine: 'recent.mine',
  private: 'recent.private',
  muted: 'recent.muted',
} as const

function FilterButton({ filter, chosen }: { filter: Filter; chosen: { value: readonly Filter[] } }) {
  const isOn = chosen.value.includes(filter)
  return (
    <button
      type="button"
      class="Recent-choice"
      aria-pressed={isOn}
      onClick={() => {
        chosen.value = isOn ? chosen.value.filter((each) => each !== filter) : [...chosen.value, filter]
      }}
    >
      {t(filterTexts[filter])}
    </button>
  )
}
