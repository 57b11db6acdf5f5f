import type { StreamId, UserId } from '@oxbow/contract'
import type { Term } from '@oxbow/sdk/windows'
import type { Name, StreamWord } from './scene.ts'

interface Ids {
  stream(word: StreamWord): StreamId
  user(name: Name): UserId
}

const term = (operator: string, operand: string | number | number[], negated = false): Term => ({
  operator,
  operand,
  negated,
})
const roses = term('topic', 'roses')

/** The narrows that readers open. */
const narrows = {
  everything: () => [],
  home: () => [term('in', 'home')],
  garden: ({ stream }) => [term('stream', stream('garden'))],
  'roses of the garden': ({ stream }) => [term('stream', stream('garden')), roses],
  pond: ({ stream }) => [term('stream', stream('pond'))],
  'roses of the pond': ({ stream }) => [term('stream', stream('pond')), roses],
  attic: ({ stream }) => [term('stream', stream('attic'))],
  cellar: ({ stream }) => [term('stream', stream('cellar'))],
  starred: () => [term('is', 'starred')],
  mentioned: () => [term('is', 'mentioned')],
  alerted: () => [term('is', 'alerted')],
  unread: () => [term('is', 'unread')],
  private: () => [term('is', 'private')],
  'private with ada': ({ user }) => [term('pm-with', [user('ada')])],
  'group with ada': ({ user }) => [term('group-pm-with', user('ada'))],
  'from ada': ({ user }) => [term('sender', user('ada'))],
  roses: () => [roses],
  pruned: () => [term('search', 'pruned')],
  'phrase in the garden': ({ stream }) => [term('stream', stream('garden')), term('search', '"south wall"')],
  'links of the garden': ({ stream }) => [term('stream', stream('garden')), term('has', 'link')],
  'starred in the garden': ({ stream }) => [term('stream', stream('garden')), term('is', 'starred')],
  'not the garden': ({ stream }) => [term('stream', stream('garden'), true)],
  'no roses of the garden': ({ stream }) => [term('stream', stream('garden')), { ...roses, negated: true }],
  'public streams': () => [term('streams', 'public')],
  moles: () => [term('search', 'moles')],
  read: () => [term('is', 'unread', true)],
} satisfies Record<string, (ids: Ids) => Term[]>

export type NarrowName = keyof typeof narrows

/** Names to choose from. The narrows that most events concern are listed more than once. */
export const narrowNames: readonly NarrowName[] = [
  ...(Object.keys(narrows) as NarrowName[]),
  'everything',
  'garden',
  'roses of the garden',
  'roses of the garden',
]

export const narrowOf = (name: NarrowName, ids: Ids): Term[] => narrows[name](ids)
