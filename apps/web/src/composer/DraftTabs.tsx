import './DraftTabs.css'
import { route } from '../client/route/router.ts'
import { listDrafts } from '../client/writing/drafts.ts'
import { waitingMessages } from '../client/writing/later.ts'
import { unsent } from '../client/writing/outbox.ts'
import { t } from '../text/t.ts'
import { Count } from '../ui/Count.tsx'

/** Links between drafts and scheduled messages. */
export function DraftTabs() {
  const tabs = [
    { view: 'drafts', text: t('drafts.title'), count: listDrafts.value.length + unsent.value.length },
    { view: 'scheduled', text: t('later.title'), count: waitingMessages.value.length },
  ]
  return (
    <nav class="DraftTabs" aria-label={t('drafts.title')}>
      {tabs.map(({ view, text, count }) => (
        <a
          key={view}
          class="DraftTabs-tab"
          href={`#${view}`}
          aria-current={route.value.view === view ? 'page' : undefined}
        >
          {text}
          <Count count={count} label={String(count)} look="muted" />
        </a>
      ))}
    </nav>
  )
}
