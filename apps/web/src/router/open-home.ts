import { homeView } from '../data/device-settings.ts'
import { isPhone } from '../shell/panes.ts'
import { filterRoute } from './route.ts'
import { replaceRoute, route } from './router.ts'

/** Opens what this device shall begin with, if the URL names no view. On phones the nav comes first. */
export function openHome(): void {
  if (route.peek().view !== 'home' || isPhone.peek()) return
  if (homeView.peek() === 'all') replaceRoute(filterRoute('in', 'home'))
}
