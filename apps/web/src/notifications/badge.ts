import { computed, effect } from '@preact/signals'
import { hasEnded } from '../client/connection.ts'
import { countedPrivate, inboxCount, mentionCount } from '../client/conversations/unread.ts'
import { badgeKind, organizationName } from '../client/store.ts'
import { viewTitle } from '../frame/view-title.ts'
import plain from './favicon.svg?url'
import unread from './favicon-unread.svg?url'

/** Values of `desktop_icon_count_display`. */
const badgeKinds = { all: 1, direct: 2, none: 3 }

/** Number of unread messages that the title and the icon show. */
const badgeCount = computed(() => {
  if (badgeKind.value === badgeKinds.none) return 0
  if (badgeKind.value !== badgeKinds.direct) return inboxCount.value
  return countedPrivate.value.reduce((total, { ids }) => total + ids.length, 0) + mentionCount.value
})

/** Shows the number of unread messages in the title, in the icon, and on the icon of the installed app. */
export function startBadge(): void {
  effect(() => {
    if (viewTitle.value === '') return
    const count = badgeCount.value > 0 ? `(${badgeCount.value}) ` : ''
    const organization = organizationName.value ? ` – ${organizationName.value}` : ''
    document.title = `${count}${viewTitle.value}${organization}`
  })
  effect(() => {
    if (organizationName.value === undefined && !hasEnded.value) return
    setIcon(badgeCount.value > 0 ? unread : plain)
    // Only installed apps have a badge; elsewhere the call rejects or does not exist.
    void navigator.setAppBadge?.(badgeCount.value).catch(() => {})
  })
}

function setIcon(url: string): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (link && link.getAttribute('href') !== url) link.href = url
}
