import type { SourcePlace } from '../model/source.ts'
import { parseSeconds } from '../text/moments.ts'
import { field, idOf, isTrue, listOf, textOf, textsOf } from '../values.ts'
import { decodeEntities } from './mrkdwn.ts'

/** Lists of places by the name of their file, without `.json`. The list decides who may read a place. */
export const placeLists = {
  channels: 'public',
  groups: 'private',
  mpims: 'conversation',
  dms: 'conversation',
} as const
export type PlaceList = keyof typeof placeLists

/** Earlier times are not those of Slack, which began in 2013. */
const earliest = Date.UTC(2013, 0, 1) * 1_000

/** Converts an entry of a list of places. An entry that contradicts its list is private. */
export function readPlace(entry: unknown, list: PlaceList, team: string): SourcePlace | undefined {
  const id = idOf(entry, 'id')
  if (id === '') return undefined
  const isPrivate = ['is_private', 'is_mpim', 'is_im', 'is_group'].some((name) => isTrue(entry, name))
  const kind = placeLists[list] === 'public' && isPrivate ? 'private' : placeLists[list]
  const isArchived = isTrue(entry, 'is_archived')
  const updated = Number(field(entry, 'updated')) * 1_000
  return {
    id,
    kind,
    name: kind === 'conversation' ? '' : textOf(entry, 'name') || id,
    ...(team !== '' && { team }),
    description: describe(entry),
    members: textsOf(entry, 'members'),
    isArchived,
    isDefault: isTrue(entry, 'is_general'),
    createdAt: laterThan(earliest, parseSeconds(idOf(entry, 'created'))),
    ...(isArchived && { archivedAt: laterThan(earliest, updated) }),
    pins: listOf(entry, 'pins').flatMap((pin) => idOf(pin, 'id') || []),
  }
}

const laterThan = (limit: number, at: number): number | undefined =>
  Number.isSafeInteger(at) && at > limit ? at : undefined

/** The purpose of a channel, and its topic if that says something else. */
function describe(entry: unknown): string {
  const [purpose, topic] = ['purpose', 'topic'].map((name) => textOf(field(entry, name), 'value').trim())
  const parts = [purpose, topic === purpose ? '' : topic]
  const plain = parts
    .filter(Boolean)
    .join(' · ')
    .replace(/<([^<>|\n]+)(?:\|([^<>\n]*))?>/g, (_, target, label) => label || target)
  return decodeEntities(plain)
}
