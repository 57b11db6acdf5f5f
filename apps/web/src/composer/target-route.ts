import { namesOf } from '../data/people.ts'
import { streamName } from '../data/streams.ts'
import type { Target } from '../data/target.ts'
import { privateRoute, type Route, streamRoute, topicRoute } from '../router/route.ts'

/** Returns the route of the view in which messages to a target are written. */
export function routeOfTarget(target: Target): Route {
  if (target.type === 'private') {
    const names = namesOf(target.user_ids)
    return privateRoute(target.user_ids, names.length > 1 ? 'group' : (names[0] ?? ''))
  }
  const stream = { stream_id: target.stream_id, name: streamName(target.stream_id) }
  return target.topic === undefined ? streamRoute(stream) : topicRoute(stream, target.topic)
}
