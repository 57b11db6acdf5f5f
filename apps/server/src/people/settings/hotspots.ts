import type { Hotspot } from '@oxbow/contract'
import type { Tour } from './queries.ts'

/** Hints of the tutorial, in the order in which they are shown. */
const hotspots: readonly Omit<Hotspot, 'delay'>[] = [
  {
    name: 'intro_reply',
    title: 'Answer a message',
    description: 'Choose a message to answer where it was written.',
  },
  {
    name: 'intro_streams',
    title: 'Find a stream',
    description: 'Streams are about one thing each. Join those that matter to you, and start new ones.',
  },
  {
    name: 'intro_topics',
    title: 'One topic at a time',
    description: 'Every message in a stream has a topic. Choose one to read that conversation alone.',
  },
  {
    name: 'intro_gear',
    title: 'Make it yours',
    description: 'Settings, help and whom to invite are behind this.',
  },
  {
    name: 'intro_compose',
    title: 'Write something',
    description: 'Begin a new conversation in a stream, or write to people directly.',
  },
]

const delaySeconds = 0.5

export const isHotspot = (name: string): boolean => hotspots.some((hotspot) => hotspot.name === name)

/** Returns the first hotspot that the user has not seen. Returns an empty list after the tutorial. */
export function listNextHotspots({ tutorial_status, seen_hotspots }: Tour): Hotspot[] {
  if (tutorial_status === 'finished') return []
  const next = hotspots.find(({ name }) => !seen_hotspots.includes(name))
  return next ? [{ ...next, delay: delaySeconds }] : []
}
