import type { NarrowTerm } from '@oxbow/contract'
import type { Archive } from '../archive/archive.ts'

export interface KindOfPage {
  label: string
  narrow: NarrowTerm[]
  anchor: 'newest' | number
  count: number
  /** Whether the page is measured although we promise no bound for it. */
  isExtra: boolean
}

type Terms = [operator: string, operand: NarrowTerm['operand']][]

/** Lists the pages that the reader of the archive fetches, each from its end and from its middle. */
export function kindsOfPages(archive: Archive): KindOfPage[] {
  const middle = archive.floor + Math.round(archive.rows / 2)
  const pages = (narrows: Record<string, Terms>, isExtra: boolean) =>
    Object.entries(narrows).flatMap(([label, terms]) => {
      const narrow = terms.map(([operator, operand]) => ({ operator, operand, negated: false }))
      return [
        { label, narrow, anchor: 'newest' as const, count: 100, isExtra },
        { label: `${label}, from the middle`, narrow, anchor: middle, count: 100, isExtra },
      ]
    })
  return [
    ...pages(usualNarrows(archive), false),
    ...pages(otherNarrows(archive), true),
    { label: 'home, 1,000 messages', narrow: [], anchor: 'newest', count: 1_000, isExtra: true },
  ]
}

const streamOf = ({ streams }: Archive) => streams[4]?.id as number
const senderOf = ({ keylessUserIds }: Archive) => keylessUserIds[100] as number

function usualNarrows(archive: Archive): Record<string, Terms> {
  const { conversations, reader } = archive
  const members = conversations.find((each) => each.members.includes(reader.user_id))?.members ?? []
  return {
    stream: [['stream', streamOf(archive)]],
    'stream and topic': [
      ['stream', streamOf(archive)],
      ['topic', 'topic 7'],
    ],
    sender: [['sender', senderOf(archive)]],
    'home, 500 streams': [],
    'in:home': [['in', 'home']],
    'is:private': [['is', 'private']],
    'pm-with': [['pm-with', members.filter((id) => id !== reader.user_id)]],
    'is:starred': [['is', 'starred']],
    'is:mentioned': [['is', 'mentioned']],
    'is:unread': [['is', 'unread']],
  }
}

function otherNarrows(archive: Archive): Record<string, Terms> {
  return {
    'a stream that the reader is not in': [['stream', archive.streams[5]?.id as number]],
    'a topic of all streams': [['topic', 'topic 7']],
    'stream and sender': [
      ['stream', streamOf(archive)],
      ['sender', senderOf(archive)],
    ],
    'is:private and sender': [
      ['is', 'private'],
      ['sender', archive.keylessUserIds[9] as number],
    ],
    'stream and is:unread': [
      ['stream', streamOf(archive)],
      ['is', 'unread'],
    ],
    'streams:public': [['streams', 'public']],
    'has:link': [['has', 'link']],
  }
}
