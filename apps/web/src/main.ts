import { h, render } from 'preact'
import { startDisplay } from './client/account/display.ts'
import { startLanguage } from './client/account/languages.ts'
import { startWatchingSession } from './client/account/session.ts'
import { startDevice } from './client/device/device.ts'
import { startKeptDrafts } from './client/device/keep-drafts.ts'
import { startWorker } from './client/device/worker.ts'
import { startFollowing } from './client/follow.ts'
import { startFollowingDay } from './client/formats/today.ts'
import { startKeepingEdits } from './client/messages/edits.ts'
import { startWindows } from './client/messages/windows.ts'
import { startMutedPeople } from './client/people/muted-people.ts'
import { startPeople } from './client/people/people.ts'
import { startPersonDetails } from './client/people/person-details.ts'
import { startPresence } from './client/people/presence.ts'
import { startReportingPresence } from './client/people/report-presence.ts'
import { route, startRouter } from './client/route/router.ts'
import { startFollowingResolved } from './client/streams/follow-resolved.ts'
import { startStreamFacts } from './client/streams/stream-facts.ts'
import { startOutbox } from './client/writing/outbox.ts'
import { startServerDrafts } from './client/writing/server-drafts.ts'
import { startTyping } from './client/writing/typing.ts'
import { hasUnsavedTexts } from './client/writing/unsaved-texts.ts'
import { startKeepingUploads } from './client/writing/uploads.ts'
import { startKeepingDrops } from './composer/use-dropped-files.ts'
import { findFirstPage } from './conversation/first-page.ts'
import { startPanes } from './frame/panes.ts'
import { startCommandKeys } from './keys/dispatch.ts'
import { startMessageKeys } from './keys/message-keys.ts'
import { startBadge } from './notifications/badge.ts'
import { startNotifications } from './notifications/notify.ts'
import { startCards } from './people/person-card.ts'
import { App } from './shell/App.tsx'
import { startRegionKeys } from './shell/regions.ts'
import { openHome } from './shell/views.tsx'

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
  startFollowingResolved()
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
  startWatchingSession(hasUnsavedTexts)
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
