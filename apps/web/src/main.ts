import { h, render } from 'preact'
import { startKeepingDrops } from './composer/use-dropped-files.ts'
import { startDisplay } from './data/display.ts'
import { startKeepingEdits } from './data/edits.ts'
import { startFollowing } from './data/follow.ts'
import { startMutedPeople } from './data/muted-people.ts'
import { startOutbox } from './data/outbox.ts'
import { startPeople } from './data/people.ts'
import { startCards } from './data/person-card.ts'
import { startPersonDetails } from './data/person-details.ts'
import { startPresence } from './data/presence.ts'
import { startReportingPresence } from './data/report-presence.ts'
import { startServerDrafts } from './data/server-drafts.ts'
import { startStreamFacts } from './data/stream-facts.ts'
import { startTyping } from './data/typing.ts'
import { startKeepingUploads } from './data/uploads.ts'
import { startWindows } from './data/windows.ts'
import { startDevice } from './device/device.ts'
import { startDeletingStoredData } from './device/forget.ts'
import { startKeptDrafts } from './device/keep-drafts.ts'
import { startWorker } from './device/worker.ts'
import { startCommandKeys } from './keys/dispatch.ts'
import { startMessageKeys } from './keys/message-keys.ts'
import { startBadge } from './notifications/badge.ts'
import { startNotifications } from './notifications/notify.ts'
import { openHome } from './router/open-home.ts'
import { route, startRouter } from './router/router.ts'
import { App } from './shell/App.tsx'
import { startPanes } from './shell/panes.ts'
import { startRegionKeys } from './shell/regions.ts'
import { startLanguage } from './text/languages.ts'
import { startFollowingDay } from './text/today.ts'
import { findFirstPage } from './views/first-page.ts'

/** Starts the client. `public/theme.js` has already refused browsers that are too old. */
async function start(root: HTMLElement): Promise<void> {
  startDisplay()
  startFollowingDay()
  startRouter()
  startPanes()
  startKeepingDrops()
  openHome()
  startRegionKeys()
  startCommandKeys()
  startPeople()
  startStreamFacts()
  startPersonDetails()
  startPresence()
  startReportingPresence()
  startMutedPeople()
  startCards()
  startTyping()
  const firstPage = findFirstPage(route.value)
  startWindows(firstPage)
  startNotifications()
  startBadge()
  startMessageKeys()
  startDevice()
  startDeletingStoredData()
  void startKeptDrafts().then(startServerDrafts)
  void startOutbox()
  startKeepingEdits()
  startKeepingUploads()
  startWorker()
  const followed = startFollowing(firstPage)
  await startLanguage()
  render(h(App, {}), root)
  await followed
}

const root = document.getElementById('app')
if (root && !('unsupported' in document.documentElement.dataset)) {
  root.replaceChildren()
  void start(root)
}
