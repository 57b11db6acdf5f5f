import type { Account } from '@oxbow/testkit'
import { messageRoutes } from '../../../apps/server/src/messages/routes.ts'
import { startProbedNode } from '../events/bench-organization.ts'
import { type Figure, median, print } from '../figures.ts'
import { addStreams, type BenchStream, insertSubscriptions } from '../subscriptions/large-organization.ts'
import type { Archive } from './archive/archive.ts'
import type { SharedArchives } from './archive/shared-archives.ts'
import { bound } from './bound.ts'
import { Connection } from './connection.ts'
import { openInProcessServer } from './in-process-server.ts'
import { processorTime } from './processor-time.ts'

const marks = 50_000
/** Number of unread messages after the marked ones, which the benchmark marks. */
const unmarked = 2_000
const rounds = 200
const warmUpRounds = 20
const registers = 30
const maxSqlMs = 2
const maxWalBytes = 16_384
const maxRegisterMs = 500

/**
 * Measures marking a message as read and listing unread messages, for accounts with many marks or
 * unread messages.
 */
export async function benchMarking(archives: SharedArchives): Promise<Figure[]> {
  const archive = await archives.large()
  const markedStream = await createMarkedStream(archive)
  return [
    ...(await benchStatements(archive, markedStream)),
    ...(await benchRequests(archive, markedStream)),
    ...(await benchRegister(archive)),
  ]
}

/** An account that marked the messages of a stream as read one by one, from the second message on. */
interface MarkedStream {
  marker: Account
  /** Returns the next unread message id; each is returned once. */
  next(): number
}

async function createMarkedStream(archive: Archive): Promise<MarkedStream> {
  const { session, organization_id, members, keylessUserIds } = archive
  const marker = members[1] as Account
  const [stream] = (await addStreams(archive, 1)) as [BenchStream]
  await insertSubscriptions(archive, { streams: [stream], people: [marker.user_id] })
  const { rows } = await session.query<{ id: number }>(
    `insert into message (organization_id, id, sent_recipient_id, recipient_id, arrived_id, outbox_id, sender_id, sent_at,
       is_private, mentions_wildcard, has_link, has_image, has_attachment, client, topic, folded_topic, content,
       rendered_content)
     select $1, id, $2, $2, id, 1, $3, now(), false, false, false, false, false, 'website', 'roses', 'roses',
       'Pruned.', '<p>Pruned.</p>'
     from (select nextval('message_id') as id from generate_series(1, $4)) as drawn
     returning id`,
    [organization_id, stream.id, keylessUserIds[0], marks + unmarked + 1],
  )
  const ids = rows.map(({ id }) => id).sort((a, b) => a - b)
  await session.query(
    `insert into read_mark (organization_id, user_id, stream_id, message_id, is_read)
     select $1, $2, $3, id, true from unnest($4::bigint[]) as id`,
    [organization_id, marker.user_id, stream.id, ids.slice(1, marks + 1)],
  )
  await session.query('vacuum analyze message, read_mark')
  const unreadIds = ids.slice(marks + 1)
  const next = () => {
    const id = unreadIds.shift()
    if (id === undefined) throw new Error('no unread message is left')
    return id
  }
  return { marker, next }
}

/** Measures the action in this process, without HTTP and without the delivery of its event. */
async function benchStatements(archive: Archive, { marker, next }: MarkedStream): Promise<Figure[]> {
  const { session } = archive
  await using server = await openInProcessServer(archive)
  const actor = await server.actorOf(marker)
  const position = async () =>
    (await session.query<{ lsn: string }>('select pg_current_wal_insert_lsn() as lsn')).rows[0]?.lsn
  const mark = async () => {
    const before = await position()
    const params = { messages: [next()], op: 'add', flag: 'read' } as const
    const { statements } = await server.watch(() =>
      messageRoutes.changeFlags(server.app, actor, params as never),
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
  for (let round = 0; round < warmUpRounds; round++) await mark()
  await session.query('checkpoint')
  const first = await mark()
  const processor = await processorTime(session)
  const found = []
  for (let round = 0; round < rounds; round++) found.push(await mark())
  const processorOfAll = ((await processorTime(session)) ?? Number.NaN) - (processor ?? 0)
  for (const [index, { text }] of (found[0]?.statements ?? []).entries()) {
    const each = median(found.map(({ statements }) => statements[index]?.milliseconds ?? Number.NaN))
    print(`${each.toFixed(2)} ms  ${text.replace(/\s+/g, ' ').trim().slice(0, 90)}`)
  }
  const milliseconds = median(found.map((each) => each.milliseconds))
  const bytes = median(found.map((each) => each.bytes))
  return [
    {
      label: `(d) mark one message read, with ${marks.toLocaleString('en')} marks: SQL`,
      measured: `${milliseconds.toFixed(2)} ms in ${found[0]?.statements.length} statements, of which the commit ${median(found.map(({ commit }) => commit)).toFixed(2)} ms; processor ${(processorOfAll / rounds).toFixed(2)} ms`,
      wanted: bound(`at most ${maxSqlMs} ms`, milliseconds <= maxSqlMs),
    },
    {
      label: '    bytes of WAL',
      measured: `${bytes}; the first after a checkpoint, with whole pages, ${first.bytes}`,
      wanted: bound(`at most ${maxWalBytes}`, bytes <= maxWalBytes),
    },
  ]
}

async function benchRequests(archive: Archive, { marker, next }: MarkedStream): Promise<Figure[]> {
  await using node = await startProbedNode(archive)
  using connection = new Connection(node.url, marker)
  const timed = async (count: number, ask: () => Promise<unknown>) => {
    const took: number[] = []
    for (let round = 0; round < count; round++) {
      const start = performance.now()
      await ask()
      took.push(performance.now() - start)
    }
    return median(took.slice(count / 10))
  }
  const marked = await timed(rounds, () =>
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
    { label: '    over HTTP', measured: `${marked.toFixed(2)} ms` },
    {
      label: '    their GET /messages of is:unread',
      measured: `the newest ${newest.toFixed(1)} ms, from the first unread one ${first.toFixed(1)} ms`,
    },
  ]
}

/** Duration and processor time of a register request, in milliseconds. */
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
  for (let round = 0; round < registers; round++) {
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
    print(`registered: ${showRegister(found.at(-1) as Register)}`)
  }
  const { unread_msgs } = JSON.parse(text) as { unread_msgs: { count: number; streams: unknown[] } }
  // The first half is not measured, because PostgreSQL still plans the statements on each
  // connection of the node.
  const settled = found.slice(registers / 2)
  const usual = median(settled.map(({ took }) => took))
  const cpu = median(settled.map((each) => each.cpu))
  const databaseCpu = median(settled.map((each) => each.databaseCpu))
  return [
    {
      label: `(d) register with unread_msgs at ${archive.rows.toLocaleString('en')} messages, half of 500 streams never read`,
      measured: `${showRegister({ took: usual, cpu, databaseCpu })}; the first ${found[0]?.took.toFixed(0)} ms; ${Math.round(text.length / 1000)} KB, ${unread_msgs.count} unread in ${unread_msgs.streams.length} topics`,
      wanted: bound(`under ${maxRegisterMs} ms`, usual < maxRegisterMs),
    },
  ]
}
