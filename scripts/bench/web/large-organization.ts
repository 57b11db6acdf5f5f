import { loadConfig, openApp } from '@oxbow/server'
import { signIn, startNodeProcess, testSecret } from '@oxbow/testkit'
import { launchBrowser } from '@oxbow/testkit/browser'
import type { Browser } from 'playwright-core'
import {
  type MeasuredPage,
  measureHeap,
  openSignedIn,
  readOutcome,
  readStart,
} from '../../../apps/web/test/figures/measured-page.ts'
import { visitTopics } from '../../../apps/web/test/figures/memory.ts'
import { hashOf, type Topic } from '../../../apps/web/test/figures/team.ts'
import { buildWeb } from '../../build/build-web.ts'
import { bundleOxbow } from '../../build/bundle-oxbow.ts'
import { type Figure, median, print, printTable, quantile } from '../figures.ts'
import type { Archive } from '../messages/archive/archive.ts'
import { createArchive } from '../messages/archive/create-archive.ts'
import { judge } from './judge.ts'
import { profilePage } from './profile.ts'

/** The reader is subscribed to some 300 streams. */
const size = { people: 100_000, streams: 10_000, streamsPerRead: 33 }
const password = 'correct horse battery staple'
const rounds = 5
/** Number of dates, and of links to messages. */
const jumps = 40
/** Topics that are visited before the heap is measured: 20 with about 100 messages each. */
const visited = 20

/** Measures the client in an organization of 100,000 people, 10,000 streams and millions of messages. */
export async function benchLargeOrganization({
  rows = 5_000_000,
  profile,
}: {
  rows?: number
  profile: boolean
}): Promise<void> {
  process.env.OXBOW_WEB_DIR = await buildWeb()
  process.env.OXBOW_TEST_PROGRAM = await bundleOxbow()
  await using archive = await createArchive(rows, undefined, size)
  await setPassword(archive)
  await using node = await startNodeProcess({
    database_url: archive.database.url,
    env: { OXBOW_WEB_DIR: process.env.OXBOW_WEB_DIR },
  })
  const { cookie } = await signIn({ nodes: { a: node, b: node } }, { email: archive.reader.email, password })
  const browser = await launchBrowser()
  try {
    printTable(await measure(archive, { browser, url: node.url, cookie }, profile))
  } finally {
    await browser.close()
  }
}

/** Gives the reader a password, because a browser cannot sign in with an API key. */
async function setPassword({ database, session, reader }: Archive): Promise<void> {
  const { config } = loadConfig({ database_url: database.url, secret: testSecret, log_level: 'silent' }, {})
  const { app, close } = await openApp(config)
  try {
    const hash = await app.passwords.hash(password)
    await session.query('update user_account set password_hash = $1 where id = $2', [hash, reader.user_id])
  } finally {
    await close()
  }
}

async function measure(
  archive: Archive,
  signedIn: { browser: Browser; url: string; cookie: string },
  profile: boolean,
): Promise<Figure[]> {
  const topics = await listLongTopics(archive)
  const hash = hashOf(topics[0] as Topic)
  const starts: number[] = []
  for (let round = 0; round < rounds; round++) {
    await using measured = await openSignedIn({ ...signedIn, hash })
    starts.push(await readStart(measured))
  }
  await using measured = await openSignedIn({ ...signedIn, hash })
  await visitTopics(measured, topics.slice(0, visited))
  const heap = await measureHeap(measured)
  const links = await listLinks(archive, topics)
  const permalinks: number[] = []
  const dates: number[] = []
  await profilePage(measured, profile ? 'jumping to linked messages' : undefined, async () => {
    for (const link of links) permalinks.push(await jump(measured, `${link.hash}/near/${link.id}`, link.id))
  })
  for (const link of links) dates.push(await jump(measured, `${link.hash}/date/${link.date}`, link.idAtDate))
  print(`cold starts: ${starts.map((ms) => ms.toFixed(0)).join(', ')} ms`)
  print(
    `permalinks: median ${median(permalinks).toFixed(0)} ms; dates: median ${median(dates).toFixed(0)} ms`,
  )
  return [
    judge({ label: 'cold start, median', value: median(starts), limit: 2_500, unit: 'ms' }),
    judge({ label: 'heap after 2,000 messages', value: heap / 1_000_000, limit: 150, unit: 'MB', digits: 1 }),
    judge({
      label: 'jump to a linked message, p95',
      value: quantile(permalinks, 0.95),
      limit: 400,
      unit: 'ms',
    }),
    judge({ label: 'jump to a date, p95', value: quantile(dates, 0.95), limit: 400, unit: 'ms' }),
  ]
}

/** Lists topics that the reader receives, each with at least a hundred messages. */
async function listLongTopics({ session, organization_id, readStreams }: Archive): Promise<Topic[]> {
  const { rows } = await session.query<{ id: number; topic: string }>(
    `select recipient_id::int as id, topic from message where organization_id = $1 and recipient_id = any($2)
     group by 1, 2 having count(*) >= 100 order by count(*) limit $3`,
    [organization_id, readStreams.map(({ id }) => id), visited + jumps],
  )
  if (rows.length < visited + 10) throw new Error(`only ${rows.length} topics are long; use more --rows`)
  const names = new Map(readStreams.map(({ id, name }) => [Number(id), name]))
  return rows.map(({ id, topic }) => ({ stream: { stream_id: id, name: names.get(id) ?? '' }, name: topic }))
}

interface Link {
  hash: string
  /** A message of the topic. */
  id: number
  date: string
  /** The first message of the topic on the date. */
  idAtDate: number
}

/** Draws a message and a date from each of several topics, spread over the whole archive. */
async function listLinks({ session, organization_id }: Archive, topics: readonly Topic[]): Promise<Link[]> {
  const links: Link[] = []
  for (const [index, topic] of topics.slice(visited, visited + jumps).entries()) {
    const { rows } = await session.query<Omit<Link, 'hash'>>(
      `with own as (
         select id, sent_at, row_number() over (order by id) as place, count(*) over () as total from message
         where organization_id = $1 and recipient_id = $2 and folded_topic = $3
       ), drawn as (
         select id, (sent_at at time zone 'UTC')::date as day from own where place >= total * $4::float8 order by place limit 1
       )
       select drawn.id::int, day::text as date,
         (select min(own.id)::int from own where own.sent_at >= day::timestamp at time zone 'UTC') as "idAtDate"
       from drawn`,
      [organization_id, topic.stream.stream_id, topic.name, (index + 0.5) / jumps],
    )
    const [found] = rows
    if (found) links.push({ hash: hashOf(topic), ...found })
  }
  return links
}

/** Goes to the URL's fragment, and returns the milliseconds until the message was painted. */
async function jump({ page }: MeasuredPage, hash: string, id: number): Promise<number> {
  await page.evaluate(`figures.outcome = (async () => {
    const start = performance.now()
    location.hash = '${hash}'
    await figures.until(() => document.querySelector('.Row[data-id="${id}"]'))
    return (await figures.painted()) - start
  })(), undefined`)
  return readOutcome(page)
}
