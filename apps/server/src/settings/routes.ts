import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { runCommand } from './run-command.ts'
import { setEnterSends } from './set-enter-sends.ts'
import { dismissHotspot, setTutorialStatus } from './take-tour.ts'
import { updateDisplay } from './update-display.ts'
import { updateNotifications } from './update-notifications.ts'

export const settingsRoutes: Routes<typeof api.settings> = {
  updateDisplay,
  updateNotifications,
  runCommand,
  setEnterSends,
  dismissHotspot,
  setTutorialStatus,
}
