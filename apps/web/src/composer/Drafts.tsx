import './Drafts.css'
import { formatDateTime, formatMoment } from '../client/formats/dates.ts'
import { writeHash } from '../client/route/hash.ts'
import { routeOfTarget } from '../client/route/target-route.ts'
import { dropDraft, listDrafts, type ShownDraft } from '../client/writing/drafts.ts'
import { type OutboxEntry, unsent } from '../client/writing/outbox.ts'
import { ViewFrame } from '../frame/ViewFrame.tsx'
import { t } from '../text/t.ts'
import { IconButton } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { DraftTabs } from './DraftTabs.tsx'
import { labelOf } from './names.ts'
import { UnsentActions } from './UnsentActions.tsx'

/** Lists unsent messages, then drafts, newest first. */
export function Drafts() {
  const entries = unsent.value
  const drafts = listDrafts.value
  return (
    <ViewFrame title={t('drafts.title')}>
      <DraftTabs />
      {entries.length + drafts.length === 0 && (
        <Empty icon="pencil" title={t('drafts.empty')} text={t('drafts.empty_hint')} />
      )}
      <div class="Drafts">
        {entries.length > 0 && <Unsent entries={entries} />}
        {drafts.length > 0 && (
          <section>
            {entries.length > 0 && <h2 class="Heading">{t('drafts.title')}</h2>}
            <ul class="Drafts-list">
              {drafts.map((draft) => (
                <li key={draft.key}>
                  <DraftRow draft={draft} />
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </ViewFrame>
  )
}

function Unsent({ entries }: { entries: readonly OutboxEntry[] }) {
  return (
    <section>
      <h2 class="Heading">{t('drafts.unsent')}</h2>
      <ul class="Drafts-list">
        {entries.map((entry) => (
          <li key={entry.local_id} class="Drafts-row">
            <span class="Drafts-target">
              <bdi>{labelOf(entry.target)}</bdi>
            </span>
            <span class="Drafts-text" dir="auto">
              {entry.content}
            </span>
            <UnsentActions entry={entry} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function DraftRow({ draft: { key, target, content, changed_at } }: { draft: ShownDraft }) {
  return (
    <div class="Drafts-row Drafts-draft">
      <a class="Drafts-link" href={writeHash(routeOfTarget(target))}>
        <span class="Drafts-target">
          <bdi>{labelOf(target)}</bdi>
        </span>
        <span class="Drafts-text" dir="auto">
          {content}
        </span>
      </a>
      <time class="Drafts-time" title={formatDateTime(changed_at)}>
        {formatMoment(changed_at)}
      </time>
      <IconButton icon="trash-2" label={t('drafts.discard')} onClick={() => dropDraft(key)} />
    </div>
  )
}
