import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BotType, type UserId } from '@oxbow/contract'
import type { MadeStream, Person, World } from '@oxbow/testkit'
import { writeHash } from '../src/client/route/hash.ts'
import {
  filterRoute,
  pages,
  privateRoute,
  type Route,
  streamRoute,
  topicRoute,
} from '../src/client/route/route.ts'
import { builtPages } from '../src/settings/built-pages.ts'
import { fillSampleWorld } from './sample-world.ts'

/** An organization that has content for every view. */
export interface ViewWorld {
  reader: Person
  otto: { user_id: UserId }
  bot: Person
  /** An incoming webhook of the reader, with a refused delivery. */
  webhook: Person
  garden: MadeStream
  group_id: number
}

export async function fillForViews(world: World): Promise<ViewWorld> {
  // The reader is an administrator, who can open all views.
  const [reader, otto] = [await world.person('iris', 'administrator'), await world.person('otto')]
  const garden = await world.stream('garden', { members: [reader, otto], description: 'What *grows* here' })
  await world.stream('core team', { members: [reader, otto], invite_only: true })
  await world.stream('kitchen', { members: [otto] })
  const bot = await world.bot('robin', reader)
  const webhook = await addWebhook(world, reader)
  await world.owner.userGroups.create({
    name: 'gardeners',
    description: 'Who prunes',
    members: [reader.user_id, otto.user_id],
  })
  const { user_groups } = await world.owner.userGroups.list()
  const send = (topic: string, content: string) =>
    otto.messages.send({ type: 'stream', to: garden.name, topic, content })
  await send('roses', 'Pruned the **south wall** today.\n\n* one\n* two')
  const { id } = await send(
    'roses',
    '@**Iris Gardener** will they flower in June? https://example.com `code`',
  )
  await reader.messages.addReaction({ message_id: id, emoji_name: 'tada' })
  await reader.messages.changeFlags({ messages: [id], op: 'add', flag: 'starred' })
  await send('compost', '```ts\nconst a = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |')
  await send('compost', '/poll Which day?\nMonday\nTuesday')
  await otto.messages.send({ type: 'private', to: [reader.user_id], content: 'Can you bring the ladder?' })
  await otto.userStatus.set({ status_text: 'at the south wall' })
  await fillOwnLists(reader, garden)
  return { reader, otto, bot, webhook, garden, group_id: user_groups[0]?.id ?? 0 }
}

/** Creates an incoming webhook and delivers to a stream that does not exist. */
async function addWebhook({ bot, nodes }: World, reader: Person): Promise<Person> {
  const webhook = await bot('herald', reader, BotType.incomingWebhook)
  const query = new URLSearchParams({ api_key: webhook.api_key, stream: 'garten' })
  const response = await fetch(`${nodes.a.url}/api/v1/external/helloworld?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ featured_title: 'Rose', featured_url: 'https://rose.example/' }),
  })
  if (response.status !== 400) throw new Error(`The delivery was not refused: ${await response.text()}`)
  return webhook
}

/** Gives a person alert words, a draft and a scheduled message. */
async function fillOwnLists(reader: Person, garden: MadeStream): Promise<void> {
  await reader.alertWords.add({ alert_words: ['frost'] })
  await reader.drafts.create({
    drafts: [
      {
        type: 'stream',
        to: [garden.stream_id],
        topic: 'roses',
        content: 'Not finished',
        timestamp: 1_700_000_000,
      },
    ],
  })
  await reader.scheduledMessages.create({
    type: 'stream',
    to: garden.stream_id,
    topic: 'roses',
    content: 'Frost tonight',
    scheduled_delivery_timestamp: Math.round(Date.now() / 1000) + 86_400,
  })
}

/** Creates the same in the sample organization, where every view has more content. */
export async function fillSampleForViews(world: World): Promise<ViewWorld> {
  const { otto } = await fillSampleWorld(world)
  const reader = world.owner
  const { subscriptions } = await reader.subscriptions.list()
  const garden = subscriptions.find(({ name }) => name === 'garden')
  if (!garden) throw new Error('The sample has no stream garden')
  const { messages } = await reader.messages.list({ anchor: 'newest', num_before: 5, num_after: 0 })
  const starred = messages.map(({ id }) => id)
  await reader.messages.changeFlags({ messages: starred, op: 'add', flag: 'starred' })
  await fillOwnLists(reader, garden)
  const bot = await world.bot('robin', reader)
  const webhook = await addWebhook(world, reader)
  return { reader, otto, bot, webhook, garden, group_id: 0 }
}

/** Returns the routes of each view. The type requires an entry for every view. */
function listRoutes({ otto, bot, webhook, garden, group_id }: ViewWorld): Record<Route['view'], Route[]> {
  const { stream_id, name } = garden
  const pagesOf = <View extends keyof typeof pages, Made>(
    view: View,
    make: (page: (typeof pages)[View][number]) => Made,
  ) => pages[view].map(make)
  return {
    home: [{ view: 'home' }],
    inbox: [{ view: 'inbox' }],
    recent: [{ view: 'recent' }],
    drafts: [{ view: 'drafts' }],
    scheduled: [{ view: 'scheduled' }],
    people: [{ view: 'people' }],
    groups: [{ view: 'groups' }],
    search: [{ view: 'search' }],
    narrow: [
      topicRoute(garden, 'roses'),
      streamRoute({ stream_id, name }),
      privateRoute([otto.user_id], 'otto'),
      ...['private', 'mentioned', 'starred', 'alerted', 'followed'].map((which) => filterRoute('is', which)),
      filterRoute('in', 'home'),
      filterRoute('search', 'pruned'),
      topicRoute(garden, 'nothing was written here'),
    ],
    topics: [{ view: 'topics', stream: { stream_id, name } }],
    streams: pagesOf('streams', (page) => ({ view: 'streams', page })),
    stream: pagesOf('stream', (page) => ({ view: 'stream', stream_id, name, page })),
    person: [
      { view: 'person', user_id: otto.user_id },
      { view: 'person', user_id: bot.user_id },
    ],
    group: [{ view: 'group', group_id }],
    settings: pagesOf('settings', (page) => ({ view: 'settings', page })),
    organization: pagesOf('organization', (page) => ({ view: 'organization', page })),
    bot: [
      { view: 'bot', user_id: bot.user_id, page: 'general' },
      ...pagesOf('bot', (page): Route => ({ view: 'bot', user_id: webhook.user_id, page })),
    ],
    help: pagesOf('help', (page) => ({ view: 'help', page })),
    unknown: [{ view: 'unknown', hash: 'nowhere' }],
  }
}

/**
 * Returns the names of the views that the router has a component for. They are read from its
 * source, because the router needs a browser.
 */
function listBuiltViews(): string[] {
  const source = readFileSync(join(import.meta.dirname, '../src/shell/views.tsx'), 'utf8')
  const [, table = ''] = /const views\b[^=]*= \{\n([\s\S]*?)\n\}/.exec(source) ?? []
  return [...table.matchAll(/^ {2}['"]?([\w-]+)['"]?:/gm)].map(([, name = '']) => name)
}

/** Returns the URL fragments of all views that the client has. */
export function listViewHashes(world: ViewWorld): string[] {
  const routes: Partial<Record<string, Route[]>> = listRoutes(world)
  return listBuiltViews().flatMap((view) => {
    const known = routes[view]
    if (!known) throw new Error(`The router has a view ${view} that is not a route`)
    const built = builtPages[view]
    const isBuilt = (route: Route) => !built || !('page' in route) || built.includes(route.page ?? '')
    return known.filter(isBuilt).map(writeHash)
  })
}
