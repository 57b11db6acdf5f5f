import { homeView } from '../data/device-settings.ts'
import { isPhone } from '../shell/panes.ts'
import { filterRoute } from './route.ts'
import { replaceRoute, route } from './router.ts'

/**
 * Opens the home view chosen on this device, if the URL names no view. On phones the nav is shown
 * first.
 */
export function openHome(): void {
  if (route.peek().view !== 'home' || isPhone.peek()) return
  if (homeView.peek() === 'all') replaceRoute(filterRoute('in', 'home'))
}
