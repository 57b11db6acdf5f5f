import './NavSections.css'
import { identifySection } from '@oxbow/sdk/arrangement'
import { signal, useSignal } from '@preact/signals'
import { unreadByStream } from '../client/conversations/unread.ts'
import { readEntry, writeEntry } from '../client/device/device-entries.ts'
import { showDialog } from '../client/open-dialogs.ts'
import { askPermission } from '../client/permissions.ts'
import { isAdministrator } from '../client/store.ts'
import { isSectionVisible, type StreamSection, streamSections } from '../client/streams/sections.ts'
import { changeArrangement } from '../streams/change-arrangement.ts'
import { t } from '../text/t.ts'
import { Count } from '../ui/Count.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Menu, type MenuItem } from '../ui/Menu.tsx'
import { NavRow } from './NavRow.tsx'
import { NavStream } from './NavStream.tsx'

/** Identities of the sections that are folded on this device. */
const folded = signal<ReadonlySet<string>>(new Set(readEntry('folded-sections')?.split('\n')))

function toggleFold(identity: string): void {
  const next = new Set(folded.value)
  if (!next.delete(identity)) next.add(identity)
  folded.value = next
  writeEntry('folded-sections', next.size > 0 ? [...next].join('\n') : undefined)
}

/** The streams of the account, in its sections. */
export function NavSections() {
  const visible = streamSections.value.filter((section) => isVisible(section))
  return (
    <section class="Nav-section" aria-labelledby="nav-streams">
      <div class="Nav-head">
        <h2 class="Heading" id="nav-streams">
          {t('nav.streams')}
        </h2>
        <AddMenu />
      </div>
      {visible.length === 0 && <p class="Nav-hint">{t('nav.no_streams')}</p>}
      {visible.map((section, index) =>
        // One section needs no heading, unless it is a folder.
        visible.length === 1 && section.kind === 'other' ? (
          <SectionStreams key="other" section={section} />
        ) : (
          <NavSection
            key={identifySection(section)}
            section={section}
            isFirst={index === 0}
            isLast={index === visible.length - 1}
          />
        ),
      )}
      <NavRow to={{ view: 'streams', page: 'all' }} alsoAt={['streams']} mark={<Icon name="search" />}>
        {t('nav.browse')}
      </NavRow>
    </section>
  )
}

const isVisible = (section: StreamSection): boolean =>
  isSectionVisible(section) || section.inactive.length > 0

function AddMenu() {
  const isAsked = useSignal(false)
  const mayCreate = isAsked.value ? askPermission('create_stream', {}).value : undefined
  return (
    <Menu
      label={t('streams.add')}
      items={[
        {
          text: t('streams.new'),
          icon: 'plus',
          href: '#streams/new',
          refusal: mayCreate?.allowed === false ? mayCreate.reason : undefined,
        },
        { text: t('nav.browse'), icon: 'search', href: '#streams/all' },
        {
          text: t('nav.folder_new'),
          icon: 'folder-plus',
          startsGroup: true,
          onSelect: () => showDialog({ kind: 'folder' }),
        },
        ...foldersForAll(),
      ]}
      onOpen={() => {
        isAsked.value = true
      }}
      button={(properties) => (
        <button type="button" class="IconButton" aria-label={t('streams.add')} {...properties}>
          <Icon name="plus" />
        </button>
      )}
    />
  )
}

const foldersForAll = (): MenuItem[] =>
  isAdministrator.value
    ? [{ text: t('nav.folders_for_all'), icon: 'settings', href: '#organization/streams' }]
    : []

interface NavSectionProps {
  section: StreamSection
  isFirst: boolean
  isLast: boolean
}

/** A section with its heading, which folds it, and its menu. */
function NavSection({ section, isFirst, isLast }: NavSectionProps) {
  const identity = identifySection(section)
  const isFolded = folded.value.has(identity)
  const title = titleOf(section)
  return (
    <div class="NavSection">
      <div class="NavSection-head">
        <h3 class="NavSection-title">
          <button type="button" aria-expanded={!isFolded} onClick={() => toggleFold(identity)}>
            <Icon name="chevron-right" />
            <bdi class="Cut">{title}</bdi>
          </button>
        </h3>
        {isFolded && <FoldedCount section={section} />}
        <Menu
          label={t('nav.section_menu', { section: title })}
          items={listItems(section, { isFirst, isLast })}
          button={(properties) => (
            <button
              type="button"
              class="IconButton NavSection-menu"
              aria-label={t('nav.section_menu', { section: title })}
              {...properties}
            >
              <Icon name="ellipsis" />
            </button>
          )}
        />
      </div>
      {!isFolded && <SectionStreams section={section} />}
    </div>
  )
}

function titleOf(section: StreamSection): string {
  if (section.kind === 'own') return section.name
  if (section.kind === 'shared') return section.folder.name
  return section.kind === 'pinned' ? t('nav.section_pinned') : t('nav.section_other')
}

function FoldedCount({ section: { streams, inactive } }: { section: StreamSection }) {
  const unread = [...streams, ...inactive].flatMap(({ stream_id, is_muted }) =>
    is_muted ? [] : (unreadByStream.value.get(stream_id) ?? []),
  )
  const count = unread.reduce((sum, each) => sum + each.count, 0)
  const look = unread.some(({ hasMention }) => hasMention) ? 'about-you' : 'usual'
  return <Count count={count} label={t('nav.unread', { count })} look={look} />
}

function listItems(
  section: StreamSection,
  { isFirst, isLast }: Omit<NavSectionProps, 'section'>,
): MenuItem[] {
  const identity = identifySection(section)
  return [
    {
      text: t('nav.move_up'),
      icon: 'arrow-up',
      refusal: isFirst ? t('nav.is_first') : undefined,
      onSelect: () => void changeArrangement(({ moveSection }) => moveSection(identity, -1)),
    },
    {
      text: t('nav.move_down'),
      icon: 'arrow-down',
      refusal: isLast ? t('nav.is_last') : undefined,
      onSelect: () => void changeArrangement(({ moveSection }) => moveSection(identity, 1)),
    },
    ...(section.kind === 'own' ? ownItems(section.name) : []),
    ...(section.kind === 'shared' ? foldersForAll() : []),
  ]
}

const ownItems = (name: string): MenuItem[] => [
  {
    text: t('nav.folder_rename'),
    icon: 'pencil',
    startsGroup: true,
    onSelect: () => showDialog({ kind: 'folder', name }),
  },
  {
    text: t('nav.folder_delete'),
    icon: 'trash-2',
    onSelect: () => void changeArrangement(({ deleteOwnFolder }) => deleteOwnFolder(name)),
  },
]

function SectionStreams({ section: { streams, inactive } }: { section: StreamSection }) {
  if (streams.length + inactive.length === 0) return <p class="Nav-hint">{t('nav.folder_empty')}</p>
  return (
    <>
      <ul class="Nav-list">
        {streams.map((stream) => (
          <NavStream key={stream.stream_id} stream={stream} />
        ))}
      </ul>
      {inactive.length > 0 && (
        <details class="Nav-inactive">
          <summary>{t('nav.inactive', { count: inactive.length })}</summary>
          <ul class="Nav-list">
            {inactive.map((stream) => (
              <NavStream key={stream.stream_id} stream={stream} />
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
