import './Streams.css'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { askPermission } from '../client/permissions.ts'
import { route } from '../client/route/router.ts'
import { isGuest } from '../client/store.ts'
import { type ListedStream, listedStreams } from '../client/streams/stream-directory.ts'
import { ViewFrame } from '../frame/ViewFrame.tsx'
import { WhyNot } from '../frame/WhyNot.tsx'
import { fold, matchName, noMatch } from '../text/match-name.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { FixedList } from '../ui/FixedList.tsx'
import { pixelsOf } from '../ui/fixed-list.ts'
import { Icon } from '../ui/Icon.tsx'
import { Notice } from '../ui/Notice.tsx'
import { PageLinks } from '../ui/PageLinks.tsx'
import { NewStream } from './NewStream.tsx'
import { hrefOf, StreamRow } from './StreamRow.tsx'
import { loadSubscriberCounts } from './subscriber-counts.ts'

/** Height of a row in rem, for two lines of text. */
const rowRem = 3.5

/** The list of streams, or the form for a new one. */
export function Streams() {
  const page = route.value.view === 'streams' ? route.value.page : 'all'
  return page === 'new' ? <NewStream /> : <Directory page={page} />
}

/** Lists the user's streams, or all streams that the user can join. */
function Directory({ page }: { page: 'all' | 'mine' }) {
  const filter = useSignal('')
  useEffect(loadSubscriberCounts, [])
  const all = listedStreams.value
  const ownStreams = all.filter(({ isIn }) => isIn)
  const shown = filterStreams(page === 'mine' ? ownStreams : all, filter.value)
  return (
    <ViewFrame title={t('streams.title')} actions={<NewStreamLink />}>
      <div class="Streams">
        <div class="Streams-tools">
          <PageLinks
            label={t('streams.title')}
            links={[
              {
                href: '#streams/all',
                text: t('streams.all'),
                count: all.length,
                isCurrent: page === 'all',
              },
              {
                href: '#streams/mine',
                text: t('streams.mine'),
                count: ownStreams.length,
                isCurrent: page === 'mine',
              },
            ]}
          />
          <input
            class="Field-input Streams-filter"
            type="search"
            aria-label={t('streams.filter')}
            placeholder={t('streams.filter')}
            value={filter.value}
            onInput={({ currentTarget }) => {
              filter.value = currentTarget.value
            }}
          />
          <span class="Spoken" role="status">
            {filter.value !== '' && t('ui.matches', { count: shown.length })}
          </span>
        </div>
        {isGuest.value && page === 'all' && <Notice>{t('streams.guest')}</Notice>}
        <StreamList key={page} streams={shown} isFiltered={filter.value.trim() !== ''} />
      </div>
    </ViewFrame>
  )
}

function NewStreamLink() {
  if (askPermission('create_stream', {}).value?.allowed === false)
    return (
      <>
        <Button icon="plus" disabled>
          {t('streams.new')}
        </Button>
        <WhyNot subject={t('streams.new')} action="create_stream" />
      </>
    )
  return (
    <a class="Button Button-primary" href="#streams/new">
      <Icon name="plus" />
      {t('streams.new')}
    </a>
  )
}

function StreamList({ streams, isFiltered }: { streams: readonly ListedStream[]; isFiltered: boolean }) {
  if (streams.length === 0)
    return isFiltered ? (
      <Empty icon="search" title={t('streams.none_found')} text={t('streams.none_found_hint')} />
    ) : (
      <Empty icon="hash" title={t('nav.no_streams')} text={t('streams.none_hint')}>
        <a href="#streams/all">{t('nav.browse')}</a>
      </Empty>
    )
  return (
    <div class="Streams-list">
      <FixedList
        label={t('streams.title')}
        items={streams}
        rowHeight={pixelsOf(rowRem)}
        keyOf={({ stream }) => stream.stream_id}
        onChoose={(listed) => {
          location.hash = hrefOf(listed)
        }}
      >
        {(listed, isActive) => <StreamRow listed={listed} isActive={isActive} />}
      </FixedList>
    </div>
  )
}

/** Filters streams by a text in their name or description. */
function filterStreams(list: readonly ListedStream[], typed: string): readonly ListedStream[] {
  const query = typed.trim()
  if (query === '') return list
  const folded = fold(query)
  return list.filter(
    ({ stream: { name, description } }) =>
      matchName(name, query) < noMatch || (folded.length > 1 && fold(description).includes(folded)),
  )
}
