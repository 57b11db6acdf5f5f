import type { Account } from '@oxbow/testkit'
import { messageRoutes } from '../../../apps/server/src/messages/routes.ts'
import { startProbedNode } from '../events/garden.ts'
import { type Figure, median, say } from '../figures.ts'
import { addStreams, type Bed, putInto } from '../subscriptions/village.ts'
import type { Archive } from './archive/archive.ts'
import type { ArchiveKeeper } from './archive/archive-keeper.ts'
import { bound } from './bound.ts'
import { Connection } from './connection.ts'
import { processorTime } from './processor-time.ts'
import { openWorkshop } from './workshop.ts'

const marks = 50_000
/** More of the stream, to be marked. */
const unmarked = 2_000
const turns = 200
const firstTurns = 20
const registers = 30
const mostMilliseconds = 2
const mostBytes = 16_384
const mostRegister = 500

/** What it takes to mark a message read, and to list what is unread, for those who left much unread. */
export async function benchMarking(archives: ArchiveKeeper): Promise<Figure[]> {
  const archive = await archives.large()
  const margin = await writeMargin(archive)
  return [
    ...(await benchStatements(archive, margin)),
    ...(await benchRequests(archive, margin)),
    ...(await benchRegister(archive)),
  ]
}

/** Someone who read a stream from its second message on, one by one. */
interface Margin {
  marker: Account
  /** Not read yet; each is taken once. */
  next(): number
}

async function writeMargin(archive: Archive): Promise<Margin> {
  const { session, organization_id, members, villagers } = archive
  const marker = members[1] as Account
  const [bed] = (await addStreams(archive, 1)) as [Bed]
  await putInto(archive, { streams: [bed], people: [marker.user_id] })
  const { rows } = await session.query<{ id: number }>(
    `insert into message (organization_id, id, sent_recipient_id, recipient_id, arrived_id, outbox_id, sender_id, sent_at,
       is_private, mentions_wildcard, has_link, has_image, has_attachment, client, topic, folded_topic, content,
       rendered_content)
     select $1, id, $2, $2, id, 1, $3, now(), false, false, false, false, false, 'website', 'roses', 'roses',
       'Pruned.', '<p>Pruned.</p>'
     from (select nextval('message_id') as id from generate_series(1, $4)) as drawn
     returning id`,
    [organization_id, bed.id, villagers[0], marks + unmarked + 1],
  )
  const ids = rows.map(({ id }) => id).sort((a, b) => a - b)
  await session.query(
    `insert into read_mark (organization_id, user_id, stream_id, message_id, is_read)
     select $1, $2, $3, id, true from unnest($4::bigint[]) as id`,
    [organization_id, marker.user_id, bed.id, ids.slice(1, marks + 1)],
  )
  await session.query('vacuum analyze message, read_mark')
  const left = ids.slice(marks + 1)
  const next = () => {
    const id = left.shift()
    if (id === undefined) throw new Error('there is more to mark than was written')
    return id
  }
  return { marker, next }
}

/** The action without a node around it, and without what the node does with its event afterwards. */
async function benchStatements(archive: Archive, { marker, next }: Margin): Promise<Figure[]> {
  const { session } = archive
  await using workshop = await openWorkshop(archive)
  const actor = await workshop.actorOf(marker)
  const position = async () =>
    (await session.query<{ lsn: string }>('select pg_current_wal_insert_lsn() as lsn')).rows[0]?.lsn
  const mark = async () => {
    const before = await position()
    const given = { messages: [next()], op: 'add', flag: 'read' } as const
    const { statements } = await workshop.watch(() =>
      messageRoutes.changeFlags(workshop.app, actor, given as never),
    )
    const { rows } = await session.query<{ bytes: number }>(
      'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1)::float as bytes',
      [before],
    )
    return {
      milliseconds: statements.reduce((sum, each) => sum + each.milliseconds, 0),
      commit: statements.find(({ text }) => text === 'commit')?.milliseconds ?? 0,
      bytes: rows[0]?.bytes ?? Number.NaN,
      statements,
    }
  }
  for (let turn = 0; turn < firstTurns; turn++) await mark()
  await session.query('checkpoint')
  const first = await mark()
  const processor = await processorTime(session)
  const found = []
  for (let turn = 0; turn < turns; turn++) found.push(await mark())
  const processorOfAll = ((await processorTime(session)) ?? Number.NaN) - (processor ?? 0)
  for (const [place, { text }] of (found[0]?.statements ?? []).entries()) {
    const each = median(found.map(({ statements }) => statements[place]?.milliseconds ?? Number.NaN))
    say(`${each.toFixed(2)} ms  ${text.replace(/\s+/g, ' ').trim().slice(0, 90)}`)
  }
  const milliseconds = median(found.map((each) => each.milliseconds))
  const bytes = median(found.map((each) => each.bytes))
  return [
    {
      what: `(d) mark one message read, with ${marks.toLocaleString('en')} marks: SQL`,
      measured: `${milliseconds.toFixed(2)} ms in ${found[0]?.statements.length} statements, of which the commit ${median(found.map(({ commit }) => commit)).toFixed(2)} ms; processor ${(processorOfAll / turns).toFixed(2)} ms`,
      wanted: bound(`at most ${mostMilliseconds} ms`, milliseconds <= mostMilliseconds),
    },
    {
      what: '    bytes of WAL',
      measured: `${bytes}; the first after a checkpoint, with whole pages, ${first.bytes}`,
      wanted: bound(`at most ${mostBytes}`, bytes <= mostBytes),
    },
  ]
}

async function benchRequests(archive: Archive, { marker, next }: Margin): Promise<Figure[]> {
  await using node = await startProbedNode(archive)
  using connection = new Connection(node.url, marker)
  const timed = async (count: number, ask: () => Promise<unknown>) => {
    const took: number[] = []
    for (let turn = 0; turn < count; turn++) {
      const start = performance.now()
      await ask()
      took.push(performance.now() - start)
    }
    return median(took.slice(count / 10))
  }
  const marked = await timed(turns, () =>
    connection.post('/messages/flags', { messages: `[${next()}]`, op: 'add', flag: 'read' }),
  )
  const unread = (anchor: string, side: 'num_before' | 'num_after') =>
    timed(20, () =>
      connection.get('/messages', {
        anchor,
        num_before: '0',
        num_after: '0',
        [side]: '100',
        narrow: JSON.stringify([{ operator: 'is', operand: 'unread', negated: false }]),
      }),
    )
  const newest = await unread('newest', 'num_before')
  const first = await unread('first_unread', 'num_after')
  return [
    { what: '    over HTTP', measured: `${marked.toFixed(2)} ms` },
    {
      what: '    their GET /messages of is:unread',
      measured: `the newest ${newest.toFixed(1)} ms, from the first unread one ${first.toFixed(1)} ms`,
    },
  ]
}

/** Milliseconds, and milliseconds of a processor. */
interface Register {
  took: number
  cpu: number
  databaseCpu: number
}

const showRegister = ({ took, cpu, databaseCpu }: Register) =>
  `${took.toFixed(0)} ms (processor ${cpu.toFixed(0)} ms, PostgreSQL ${databaseCpu.toFixed(0)} ms)`

async function benchRegister(archive: Archive): Promise<Figure[]> {
  await using node = await startProbedNode(archive)
  using connection = new Connection(node.url, archive.reader)
  const types = JSON.stringify(['message', 'update_message_flags'])
  const found: Register[] = []
  let text = ''
  for (let turn = 0; turn < registers; turn++) {
    const [start, cpu, databaseCpu] = [
      performance.now(),
      await node.probe.cpu(),
      await processorTime(archive.session),
    ]
    text = await connection.post('/register', { event_types: types, fetch_event_types: types })
    found.push({
      took: performance.now() - start,
      cpu: (await node.probe.cpu()) - cpu,
      databaseCpu: ((await processorTime(archive.session)) ?? Number.NaN) - (databaseCpu ?? 0),
    })
    say(`registered: ${showRegister(found.at(-1) as Register)}`)
  }
  const { unread_msgs } = JSON.parse(text) as { unread_msgs: { count: number; streams: unknown[] } }
  // The first let PostgreSQL look at the statements, on each connection that the node has.
  const settled = found.slice(registers / 2)
  const usual = median(settled.map(({ took }) => took))
  const cpu = median(settled.map((each) => each.cpu))
  const databaseCpu = median(settled.map((each) => each.databaseCpu))
  return [
    {
      what: `(d) register with unread_msgs at ${archive.rows.toLocaleString('en')} messages, half of 500 streams never read`,
      measured: `${showRegister({ took: usual, cpu, databaseCpu })}; the first ${found[0]?.took.toFixed(0)} ms; ${Math.round(text.length / 1000)} KB, ${unread_msgs.count} unread in ${unread_msgs.streams.length} topics`,
      wanted: bound(`under ${mostRegister} ms`, usual < mostRegister),
    },
  ]
}
