import { h, render } from 'preact'
import { startWriteKeys } from './composer/write-keys.ts'
import { startDisplay } from './data/display.ts'
import { startFollowing } from './data/follow.ts'
import { startOutbox } from './data/outbox.ts'
import { startServerDrafts } from './data/server-drafts.ts'
import { startWindows } from './data/windows.ts'
import { startUnreadKeys } from './keys/unread-keys.ts'
import { startMessageKeys } from './messages/message-keys.ts'
import { startRouter } from './router/router.ts'
import { App } from './shell/App.tsx'
import { startPanes } from './shell/panes.ts'
import { startRegionKeys } from './shell/regions.ts'

/** Starts the client. `public/theme.js` has turned away browsers that are too old. */
async function start(root: HTMLElement): Promise<void> {
  startDisplay()
  startRouter()
  startPanes()
  startRegionKeys()
  startUnreadKeys()
  startWindows()
  startWriteKeys()
  startMessageKeys()
  startOutbox()
  startServerDrafts()
  render(h(App, {}), root)
  await startFollowing()
}

const root = document.getElementById('app')
if (root && !('unsupported' in document.documentElement.dataset)) {
  root.replaceChildren()
  void start(root)
}
