import type { WindowMessage } from '@oxbow/sdk/windows'
import { namesOf, othersOf } from '../data/people.ts'
import { streamName } from '../data/streams.ts'
import { writeHash } from '../router/hash.ts'
import { privateRoute, type Route, topicRoute } from '../router/route.ts'
import { route } from '../router/router.ts'
import { awaitOrShowRefusal } from './act.ts'
import { fetchSource } from './edit.ts'

/** Returns the URL of a message. */
export function linkToMessage(message: WindowMessage): string {
  return `${location.origin}/${writeHash(routeOfMessage(message))}`
}

/** Returns the route to the conversation of a message, scrolled to the message. */
export function routeOfMessage({ id, stream_id, topic, user_ids }: WindowMessage): Route {
  if (stream_id !== undefined)
    return topicRoute({ stream_id, name: streamName(stream_id) }, topic, { near: id })
  const others = othersOf(user_ids ?? [])
  const names = namesOf(others)
  const route = privateRoute(others, names.length > 1 ? 'group' : (names[0] ?? ''))
  return { ...route, at: { near: id } } as Route
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
