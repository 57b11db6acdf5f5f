import { type MadeStream, type Person, startWorld, type World } from '@oxbow/testkit'

export interface TeamSize {
  people: number
  streams: number
  topicsPerStream: number
  messagesPerTopic: number
  /** Number of messages in the topic `weather`, for long scrolling. */
  weatherReports: number
}

/** The size of the organization for all performance measurements. */
export const wholeTeam: TeamSize = {
  people: 50,
  streams: 20,
  topicsPerStream: 10,
  messagesPerTopic: 100,
  weatherReports: 10_000,
}

export interface Topic {
  stream: { stream_id: number; name: string }
  name: string
}

/** An organization with conversations, like a real one after some weeks. */
export interface Team {
  world: World
  /** The user of the client. All messages are read. */
  reader: Person
  others: readonly Person[]
  /** Topics of equal length; `contents` links to all of them. */
  topics: readonly Topic[]
  contents: Topic
  weather: Topic
}

/** Kinds of messages: short and long ones, code, lists, quotes, links, mentions. */
const texts = [
  'Yes.',
  'Pruned the south wall today, and tied up what the wind had torn down.',
  'Could somebody look at the pump? It hums, but **no water** comes. I have turned it off.',
  `Notes of this morning: ${'we walked along all beds and wrote down what is missing. '.repeat(5)}`,
  '* compost: the left bin is full\n* seeds: order beans\n* tools: the second spade is at the smith',
  '```ts\nexport const area = (width: number, length: number) => width * length\n```',
  '> Who has the key of the shed?\n\nIt hangs behind the door, as always.',
  'See https://example.com/roses/climbing?page=2 for the table, or `garden plan` on the wall.',
  '@**Person1 Gardener** will they flower in June? :rose: :tada:',
  'Half of it. The other half on *Thursday*, if it stays dry.',
]

/**
 * Creates people, streams and some messages through the API, and copies the messages by SQL until each
 * topic has its length. By default, the team has a separate server.
 */
export async function createTeam(size: TeamSize, { ownServer = true } = {}): Promise<Team> {
  const world = await startWorld({ ownServer })
  const reader = await world.person('iris')
  const names = Array.from({ length: size.people - 1 }, (_, index) => `person${index}`)
  const others = await world.people(...names)
  const members = [reader, ...others]
  const streams: MadeStream[] = []
  for (let index = 0; index < size.streams; index++)
    streams.push(await world.stream(`stream ${index}`, { members }))
  const [first] = streams as [MadeStream]
  const sourceIds: number[] = []
  for (const [index, content] of texts.entries()) {
    const sender = others[index % others.length] as Person
    sourceIds.push(
      (await sender.messages.send({ type: 'stream', to: first.name, topic: 'start', content })).id,
    )
  }
  const topics = streams.flatMap((stream) =>
    Array.from({ length: size.topicsPerStream }, (_, index) => ({ stream, name: `topic ${index}` })),
  )
  const weather = { stream: first, name: 'weather' }
  const senders = others.slice(0, 10).map(({ user_id }) => user_id)
  const fill = (topic: Topic, count: number) => copyMessages(world, { topic, count, sourceIds, senders })
  for (const topic of topics) await fill(topic, size.messagesPerTopic)
  await fill(weather, size.weatherReports)
  const contents = { stream: first, name: 'contents' }
  await sendContents(others[0] as Person, contents, topics)
  await reader.messages.markAllRead()
  return { world, reader, others, topics, contents, weather }
}

interface Copies {
  topic: Topic
  count: number
  /** Ids of the messages to copy, in rotation. */
  sourceIds: readonly number[]
  senders: readonly number[]
}

/** Inserts copies of messages, a minute apart, each with its number in the text. */
async function copyMessages(world: World, { topic, count, sourceIds, senders }: Copies): Promise<void> {
  await world.database.query(
    `insert into message select m.organization_id, nextval('message_id'), $3, $3, currval('message_id'), m.outbox_id,
       ($5::bigint[])[1 + (n / 3) % array_length($5::bigint[], 1)], now() - ($2::int - n) * interval '1 minute', null,
       false, false, false, false, false, m.client, $4, $4, n || '. ' || m.content,
       '<p>' || n || '.</p>' || m.rendered_content
     from generate_series(1, $2) n join message m on m.id = ($1::bigint[])[1 + n % array_length($1::bigint[], 1)]
     order by n`,
    [sourceIds, count, topic.stream.stream_id, topic.name, senders],
  )
}

/** Sends messages that link to several topics each, so that every topic is one click away. */
async function sendContents(
  sender: Person,
  { stream, name }: Topic,
  topics: readonly Topic[],
): Promise<void> {
  for (let start = 0; start < topics.length; start += 10) {
    const links = topics.slice(start, start + 10).map((topic) => `#**${topic.stream.name}>${topic.name}**`)
    await sender.messages.send({ type: 'stream', to: stream.name, topic: name, content: links.join(' ') })
  }
}

/** Returns the fragment of a topic's URL. */
export const hashOf = ({ stream, name }: Topic): string =>
  `#narrow/stream/${stream.stream_id}-${stream.name.replaceAll(' ', '-')}/topic/${encodeURIComponent(name).replaceAll('%', '.')}`

/** Lists the ids of a topic's messages, oldest first. */
export async function listIds(
  { database, organization_id }: World,
  { stream, name }: Topic,
): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    'select id::int from message where organization_id = $1 and recipient_id = $2 and topic = $3 order by id',
    [organization_id, stream.stream_id, name],
  )
  return rows.map(({ id }) => id)
}
