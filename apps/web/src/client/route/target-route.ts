import type { Target } from '../conversations/target.ts'
import { namesOf } from '../people/people.ts'
import { streamName } from '../streams/streams.ts'
import { privateRoute, type Route, streamRoute, topicRoute } from './route.ts'

/** Returns the route of the view in which messages to a target are written. */
export function routeOfTarget(target: Target): Route {
  if (target.type === 'private') {
    const names = namesOf(target.user_ids)
    return privateRoute(target.user_ids, names.length > 1 ? 'group' : (names[0] ?? ''))
  }
  const stream = { stream_id: target.stream_id, name: streamName(target.stream_id) }
  return target.topic === undefined ? streamRoute(stream) : topicRoute(stream, target.topic)
}
