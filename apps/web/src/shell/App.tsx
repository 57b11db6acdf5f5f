import './App.css'
import { useEffect } from 'preact/hooks'
import { hasEnded } from '../client/connection.ts'
import { writeHash } from '../client/route/hash.ts'
import { route } from '../client/route/router.ts'
import { isReady, organizationName } from '../client/store.ts'
import { ErrorBoundary } from '../frame/ErrorBoundary.tsx'
import { lazyView } from '../frame/lazy-view.tsx'
import { isNavOpen, isPhone, isSideOpen, uncoverView } from '../frame/panes.ts'
import { lightbox } from '../message-text/lightbox.ts'
import { PersonCard } from '../people/PersonCard.tsx'
import { t } from '../text/t.ts'
import { Sheet } from '../ui/Sheet.tsx'
import { Boot } from './Boot.tsx'
import { Dialogs } from './Dialogs.tsx'
import { Nav } from './Nav.tsx'
import { OfflineBar } from './OfflineBar.tsx'
import { RefusedAction } from './RefusedAction.tsx'
import { UndoLines } from './Undo.tsx'
import { findSide, View } from './views.tsx'

const SessionEnded = lazyView(() => import('./SessionEnded.tsx').then(({ SessionEnded: Screen }) => Screen))

const Lightbox = lazyView(() => import('../message-text/Lightbox.tsx').then(({ Lightbox: Dialog }) => Dialog))

/** The whole client: the boot screen until the state is loaded, then the panes until the session has ended. */
export function App() {
  if (hasEnded.value)
    return (
      <ErrorBoundary>
        <SessionEnded />
      </ErrorBoundary>
    )
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
      <Dialogs />
      {lightbox.value && <Lightbox />}
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
