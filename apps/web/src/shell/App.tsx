import './App.css'
import { useSignalEffect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { WriteDialog } from '../composer/WriteDialog.tsx'
import { openDialog } from '../data/dialogs.ts'
import { connection } from '../data/follow.ts'
import { showsKeys } from '../data/help-dialogs.ts'
import { jumpText } from '../data/jump.ts'
import { signingOut } from '../data/signing-out.ts'
import { isStatusOpen } from '../data/status-dialog.ts'
import { isReady, organizationName } from '../data/store.ts'
import { streamDialog } from '../data/stream-dialogs.ts'
import { newMessage } from '../data/write-dialog.ts'
import { MessageDialogs } from '../messages/MessageDialogs.tsx'
import { PersonCard } from '../people/PersonCard.tsx'
import { writeHash } from '../router/hash.ts'
import { lazyView } from '../router/lazy-view.tsx'
import { route } from '../router/router.ts'
import { findSide, View } from '../router/views.tsx'
import { StatusDialog } from '../settings/StatusDialog.tsx'
import { t } from '../text/t.ts'
import { Sheet } from '../ui/Sheet.tsx'
import { UndoLines } from '../ui/Undo.tsx'
import { Boot } from './Boot.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Nav } from './Nav.tsx'
import { OfflineBar } from './OfflineBar.tsx'
import { isNavOpen, isPhone, isSideOpen, uncoverView } from './panes.ts'
import { RefusedAction } from './RefusedAction.tsx'
import { SignOutDialog } from './SignOutDialog.tsx'

const StreamDialogs = lazyView(() =>
  import('../streams/StreamDialogs.tsx').then(({ StreamDialogs: Dialogs }) => Dialogs),
)

const KeysDialog = lazyView(() => import('../keys/KeysDialog.tsx').then(({ KeysDialog: Dialog }) => Dialog))

const Jump = lazyView(() => import('../jump/Jump.tsx').then(({ Jump: Dialog }) => Dialog))

/** The whole client: the boot screen until the state is loaded, then the panes. */
export function App() {
  useSignalEffect(() => {
    // No unsaved text is shown yet that could be lost, so the sign-in page is opened directly.
    if (connection.value.status === 'signed out' && !isReady.value)
      location.assign(`/login?next=${encodeURIComponent(`/${location.hash}`)}`)
  })
  return isReady.value ? <Panes /> : <Boot />
}

function Panes() {
  const hash = writeHash(route.value)
  // Closes a nav that covers the view after each navigation.
  useEffect(() => {
    isNavOpen.value = false
    uncoverView()
  }, [hash])
  return (
    <div class="App" data-pane={route.value.view === 'home' ? 'nav' : 'view'}>
      <button type="button" class="App-skip" onClick={focusMain}>
        {t('nav.skip')}
      </button>
      <OfflineBar />
      <div class="App-panes" data-nav={isNavOpen.value ? 'open' : undefined}>
        <NavPane />
        <div class="App-view" inert={isNavOpen.value}>
          <ErrorBoundary resetKey={hash}>
            <View />
          </ErrorBoundary>
        </div>
        <Side />
        {isNavOpen.value && (
          <button
            type="button"
            class="App-shade"
            aria-label={t('nav.close')}
            onClick={() => {
              isNavOpen.value = false
            }}
          />
        )}
      </div>
      {newMessage.value && <WriteDialog />}
      {isStatusOpen.value && <StatusDialog />}
      {openDialog.value && <MessageDialogs />}
      {streamDialog.value && <StreamDialogs />}
      {jumpText.value !== undefined && <Jump />}
      {showsKeys.value && <KeysDialog />}
      {signingOut.value && <SignOutDialog />}
      <PersonCard />
      <RefusedAction />
      <UndoLines />
    </div>
  )
}

/** The side pane, with details about the current view. */
function Side() {
  const Details = findSide()
  if (!Details || !isSideOpen.value) return null
  if (isPhone.value)
    return (
      <Sheet title={t('side.label')} onClose={uncoverView}>
        <Details />
      </Sheet>
    )
  return (
    <aside class="App-side" aria-label={t('side.label')} data-region="side" inert={isNavOpen.value}>
      <ErrorBoundary resetKey={writeHash(route.value)}>
        <Details />
      </ErrorBoundary>
    </aside>
  )
}

/** The nav. On phones it is a separate screen, which has a heading and is the main landmark. */
function NavPane() {
  const isScreen = isPhone.value && route.value.view === 'home'
  const nav = (
    <nav class="App-nav" aria-label={t('nav.label')} data-region="nav">
      <ErrorBoundary>
        {isScreen && <h1 class="Spoken">{organizationName.value}</h1>}
        <Nav />
      </ErrorBoundary>
    </nav>
  )
  return isScreen ? <main class="App-screen">{nav}</main> : nav
}

/**
 * Focuses the main region by script, because a link would change the fragment of the URL, which is
 * the route.
 */
function focusMain(): void {
  document.getElementById('main')?.focus()
}
