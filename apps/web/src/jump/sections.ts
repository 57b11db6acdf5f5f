import type { ConversationSummary } from '../client/conversations/conversation-facts.ts'
import type { Person } from '../client/people/people.ts'
import type { KnownStream } from '../client/streams/streams.ts'
import type { Command } from '../keys/map.ts'
import { findPeople, findStreams } from '../search/find-names.ts'
import type { Match } from '../text/name-index.ts'
import { t } from '../text/t.ts'
import { findCommands } from './commands.ts'
import { findConversations, findTopics, listUnreadAndRecent } from './conversation-rows.ts'

/** A row of the dialog. */
export type JumpRow =
  | { readonly kind: 'conversation'; readonly key: string; readonly conversation: ConversationSummary }
  | { readonly kind: 'person'; readonly key: string; readonly person: Person }
  | { readonly kind: 'stream'; readonly key: string; readonly stream: KnownStream }
  | { readonly kind: 'command'; readonly key: string; readonly command: Command }
  | { readonly kind: 'search'; readonly key: string; readonly text: string }

export interface JumpSection {
  /** Title of the section; absent for the last row, which searches messages. */
  readonly title?: string
  readonly rows: readonly JumpRow[]
}

/** Maximum number of rows per section. `alone` applies when the user asked for a single kind. */
const max = { conversations: 6, people: 5, streams: 5, commands: 4, alone: 50, unread: 8 }

const conversationRow = (conversation: ConversationSummary): JumpRow => ({
  kind: 'conversation',
  key: conversation.key,
  conversation,
})
const personRow = ({ item: person }: Match<Person>): JumpRow => ({
  kind: 'person',
  key: `person/${person.user_id}`,
  person,
})
const streamRow = ({ item: stream }: Match<KnownStream>): JumpRow => ({
  kind: 'stream',
  key: `stream/${stream.stream_id}`,
  stream,
})
const commandRow = ({ item: command }: Match<Command>): JumpRow => ({
  kind: 'command',
  key: `command/${command.id}`,
  command,
})

/**
 * Lists the sections for a text. A leading `#`, `@` or `>` limits them to one kind, and
 * `stream>topic` to the topics of a stream. Reads signals.
 */
export function listSections(text: string): JumpSection[] {
  const query = text.trim()
  if (query === '') return listWithoutText()
  const sections = listForPrefix(query) ?? listAll(query)
  const searched = query.replace(/^[#@>]\s*/, '')
  return [
    ...sections.filter(({ rows }) => rows.length > 0),
    ...(searched === '' ? [] : [{ rows: [{ kind: 'search' as const, key: 'search', text: searched }] }]),
  ]
}

function listWithoutText(): JumpSection[] {
  const { unread, recent } = listUnreadAndRecent(max.unread)
  return [
    { title: t('jump.unread'), rows: unread.map(conversationRow) },
    { title: t('jump.recent'), rows: recent.map(conversationRow) },
  ].filter(({ rows }) => rows.length > 0)
}

function listForPrefix(query: string): JumpSection[] | undefined {
  const [, name, topic] = /^#?([^>›]+)[>›](.*)$/s.exec(query) ?? []
  const [found] = name === undefined ? [] : findStreams(name.trim(), 1)
  if (found && topic !== undefined) {
    const rows = findTopics(found.item.stream_id, topic.trim(), max.alone).map(conversationRow)
    return [{ title: t('streams.topics_of', { stream: found.item.name }), rows }]
  }
  const rest = query.slice(1).trim()
  switch (query[0]) {
    case '#':
      return [{ title: t('nav.streams'), rows: findStreams(rest, max.alone).map(streamRow) }]
    case '@':
      return [{ title: t('people.title'), rows: findPeople(rest, max.alone).map(personRow) }]
    case '>':
      return [{ title: t('jump.commands'), rows: findCommands(rest, max.alone).map(commandRow) }]
    default:
      return undefined
  }
}

/** Lists matches of all kinds. Sections with only loose matches come last. */
function listAll(query: string): JumpSection[] {
  const conversations = findConversations(query, max.conversations)
  const found = [
    {
      title: t('jump.conversations'),
      matches: conversations,
      rows: conversations.map(({ item }) => conversationRow(item)),
    },
    section(t('people.title'), findPeople(query, max.people), personRow),
    section(t('nav.streams'), findStreams(query, max.streams), streamRow),
    section(t('jump.commands'), findCommands(query, max.commands), commandRow),
  ]
  const isLoose = ({ matches }: { matches: readonly Match<unknown>[] }) =>
    matches.every(({ rank }) => rank === 3)
  return [...found.filter((each) => !isLoose(each)), ...found.filter(isLoose)]
}

const section = <Item>(
  title: string,
  matches: readonly Match<Item>[],
  rowOf: (match: Match<Item>) => JumpRow,
) => ({ title, matches, rows: matches.map(rowOf) })
