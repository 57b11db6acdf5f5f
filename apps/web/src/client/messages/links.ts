import type { FetchedMessage } from '@oxbow/contract'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { awaitOrShowRefusal } from '../act.ts'
import { othersOf, targetOf } from '../conversations/target.ts'
import { writeHash } from '../route/hash.ts'
import { privateRoute, type Route, topicRoute } from '../route/route.ts'
import { route } from '../route/router.ts'
import { routeOfTarget } from '../route/target-route.ts'
import { fetchSource } from './source.ts'

/** Returns the URL of a message. */
export function linkToMessage(message: WindowMessage): string {
  return `${location.origin}/${writeHash(routeOfMessage(message))}`
}

/** Returns the route to the conversation of a message, scrolled to the message. */
export const routeOfMessage = (message: WindowMessage): Route =>
  ({ ...routeOfTarget(targetOf(message)), at: { near: message.id } }) as Route

/** Returns the route to the conversation of a message that was fetched alone, scrolled to the message. */
export function routeOfFetched(message: FetchedMessage): Route {
  const at = { near: message.id }
  if (message.type === 'stream')
    return topicRoute({ stream_id: message.stream_id, name: message.display_recipient }, message.topic, at)
  const others = othersOf(message.display_recipient.map(({ id }) => id))
  return { ...privateRoute(others, others.length > 1 ? 'group' : ''), at } as Route
}

/** Copies the URL of the current view, without its scroll position. */
export const copyRouteLink = (): Promise<boolean> => {
  const shown = route.peek()
  const hash = writeHash(shown.view === 'narrow' ? { ...shown, at: {} } : shown)
  return awaitOrShowRefusal(navigator.clipboard.writeText(`${location.origin}/${hash}`))
}

export const copyLink = (message: WindowMessage): Promise<boolean> =>
  awaitOrShowRefusal(navigator.clipboard.writeText(linkToMessage(message)))

/** Copies the Markdown source of a message. */
export const copyText = async (message: WindowMessage): Promise<boolean> =>
  awaitOrShowRefusal(fetchSource(message).then((source) => navigator.clipboard.writeText(source)))
