import type { MessageId, StreamId, UserId } from '@oxbow/contract'
import type { Client } from '@oxbow/sdk'
import {
  type SampleMessage,
  type SampleName,
  samplePeople,
  samplePrivate,
  sampleStreams,
} from './conversations.ts'
import { drawFace, drawLandscape } from './pictures.ts'

export type SamplePerson = Client & { readonly user_id: UserId }

export interface SampleOptions {
  /** Creates the account with this name, or returns the existing one. */
  person(name: SampleName, fullName: string): Promise<SamplePerson>
  /**
   * Changes the times of sent messages, so that they are spread over several days. Without it, all
   * messages were sent now.
   */
  setTimes?(messages: readonly SentSample[]): Promise<void>
  /**
   * Number of additional messages in the topic `weather` of the stream `random`, for testing long
   * scrolling.
   */
  weatherReports?: number
}

export interface SentSample {
  message_id: MessageId
  sent_at: Date
}

interface PlannedMessage extends SampleMessage {
  type: 'stream' | 'private'
  to: string | readonly UserId[]
  topic?: string
  at: number
  isRead: boolean
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Creates people, streams and conversations, as in an organization after some weeks. */
export async function fillSampleOrganization(
  options: SampleOptions,
): Promise<Record<SampleName, SamplePerson>> {
  const people = await createPeople(options)
  const { olive } = people
  await createStreams(people)
  const sent: SentSample[] = []
  const read: MessageId[] = []
  for (const message of planMessages(people, options.weatherReports ?? 0)) {
    const message_id = await send(people, message)
    sent.push({ message_id, sent_at: new Date(message.at) })
    if (message.isRead) read.push(message_id)
  }
  await olive.messages.changeFlags({ messages: read, op: 'add', flag: 'read' })
  await options.setTimes?.(sent)
  await people.iris.userStatus.set({ status_text: 'at the south wall' })
  await people.maximilian.userStatus.set({ away: true, status_text: 'writing letters' })
  return people
}

async function createPeople({ person }: SampleOptions): Promise<Record<SampleName, SamplePerson>> {
  const people = {} as Record<SampleName, SamplePerson>
  for (const [name, fullName] of Object.entries(samplePeople) as [SampleName, string][]) {
    people[name] = await person(name, fullName)
    await people[name].users.setAvatar({ files: [{ name: 'face.png', bytes: await drawFace(name) }] })
  }
  return people
}

async function createStreams(people: Record<SampleName, SamplePerson>): Promise<void> {
  const { olive } = people
  for (const { name, description, isPrivate, isAnnouncement, members } of sampleStreams) {
    const subscribers = members?.map((member) => people[member]) ?? Object.values(people)
    await olive.subscriptions.subscribe({
      subscriptions: [{ name, description }],
      principals: subscribers.map(({ user_id }) => user_id),
      ...(isPrivate && { invite_only: true }),
      ...(isAnnouncement && { stream_post_policy: 2 }),
    })
  }
  const { subscriptions } = await olive.subscriptions.list()
  const idOf = (name: string) => subscriptions.find((row) => row.name === name)?.stream_id as StreamId
  await olive.subscriptions.setProperties({
    subscription_data: sampleStreams.map(({ name, color }) => ({
      stream_id: idOf(name),
      property: 'color',
      value: color,
    })),
  })
}

/** Lists all messages in the order of their times, because ids must grow with time. */
function planMessages(people: Record<SampleName, SamplePerson>, weatherReports: number): PlannedMessage[] {
  const now = Date.now()
  const timed = (messages: readonly SampleMessage[], hoursAgo: number) =>
    messages.map((message, index) => ({
      ...message,
      at: now - hoursAgo * hourMs - (messages.length - 1 - index) * 4 * minuteMs,
    }))
  const planned: PlannedMessage[] = []
  for (const { name, topics } of sampleStreams) {
    for (const { topic, hoursAgo, messages, read = false } of topics) {
      for (const message of timed(messages, hoursAgo))
        planned.push({ ...message, type: 'stream', to: name, topic, isRead: read })
    }
  }
  for (const { with: others, hoursAgo, messages } of samplePrivate) {
    const names: SampleName[] = ['olive', ...others]
    for (const message of timed(messages, hoursAgo)) {
      const to = names.filter((name) => name !== message.from).map((name) => people[name].user_id)
      planned.push({ ...message, type: 'private', to, isRead: false })
    }
  }
  for (const message of timed(listWeatherReports(weatherReports), 150))
    planned.push({ ...message, type: 'stream', to: 'random', topic: 'weather', isRead: true })
  return planned.sort((a, b) => a.at - b.at)
}

function listWeatherReports(count: number): SampleMessage[] {
  const names = Object.keys(samplePeople) as SampleName[]
  const skies = [
    'Clear sky',
    'Fog over the pond',
    'A shower at noon',
    'Wind from the *west*',
    '**Frost** on the beds',
  ]
  return Array.from({ length: count }, (_, index) => ({
    from: names[Math.floor(index / 3) % names.length] as SampleName,
    text: `${skies[index % skies.length]}, ${(index * 7) % 31} °C. ${'The barometer did not move. '.repeat((index * 13) % 9)}`,
  }))
}

async function send(people: Record<SampleName, SamplePerson>, message: PlannedMessage): Promise<MessageId> {
  const sender = people[message.from]
  const { type, to, topic, poll } = message
  const content = poll
    ? `/poll ${[poll.question, ...poll.options].join('\n')}`
    : await uploadPictures(sender, message.text)
  const { id } = await sender.messages.send({
    type,
    to: to as string,
    content,
    ...(topic !== undefined && { topic }),
  })
  for (const [emoji_name, reactors] of Object.entries(message.reactions ?? {}))
    for (const name of reactors) await people[name].messages.addReaction({ message_id: id, emoji_name })
  return id
}

/** Replaces each `PICTURE:name` by a link to an uploaded picture. */
async function uploadPictures(sender: Client, text: string): Promise<string> {
  let content = text
  for (const [mark, name = ''] of text.matchAll(/PICTURE:([a-z-]+)/g)) {
    const bytes = await drawLandscape(name)
    const { uri } = await sender.uploads.upload({ files: [{ name: `${name}.png`, bytes }] })
    content = content.replace(mark, `[${name}.png](${uri})`)
  }
  return content
}

/** Changes the times of messages in the database, for `SampleOptions.setTimes`. */
export async function setSampleTimes(
  query: (text: string, values: unknown[]) => Promise<unknown>,
  messages: readonly SentSample[],
): Promise<void> {
  const ids = messages.map(({ message_id }) => message_id)
  const times = messages.map(({ sent_at }) => sent_at)
  await query(
    `update message set sent_at = sample.sent_at
       from unnest($1::bigint[], $2::timestamptz[]) as sample (message_id, sent_at)
      where message.id = sample.message_id`,
    [ids, times],
  )
}
