import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { type Account, basic } from '@oxbow/testkit'
import { type ProbedNode, startProbedNode } from './events/bench-organization.ts'
import { type Figure, median, print, printTable } from './figures.ts'
import { bound } from './messages/bound.ts'
import { processorTime } from './messages/processor-time.ts'
import type { Memory } from './probe/ask-probe.ts'
import { createLargeOrganization, type LargeOrganization } from './subscriptions/large-organization.ts'

const people = 100_000
const rounds = 3
const callersAtOnce = 10
const maxRegisterMs = 700
const maxExtraBytes = 60_000_000

interface Call {
  label: string
  method: string
  path: string
}

const register: Call = { label: 'POST /register', method: 'POST', path: '/register' }
const list: Call = { label: 'GET /users', method: 'GET', path: '/users' }

/** Measures the two responses that contain all people of an organization, alone and ten at once. */
export async function benchPeople(): Promise<void> {
  await using organization = await createLargeOrganization(people)
  const { session, organization_id, keylessUserIds, members } = organization
  await session.query(
    `with field as (
       insert into profile_field (organization_id, type, name, hint, field_data, position)
       values ($1, 1, 'Pronouns', '', '', 1) returning id
     )
     insert into profile_value (organization_id, field_id, user_id, value)
     select $1, field.id, user_id, 'they' from field, unnest($2::bigint[]) as user_id where user_id % 3 = 0`,
    [organization_id, keylessUserIds],
  )
  await session.query('vacuum analyze')
  const figures: Figure[] = []
  for (const [label, settings] of [
    ['shared', {}],
    ['read each time', { OXBOW_SHARED_USERS_MIB: '0' }],
  ] as const) {
    await using node = await startProbedNode(organization, settings)
    for (const call of [register, list])
      figures.push(...(await measure(organization, node, { ...call, label: `${call.label}, ${label}` })))
    const atOnce = await measureAtOnce(node, members, label)
    print(`${atOnce.label}: ${atOnce.measured}`)
    figures.push(atOnce)
  }
  printTable(figures)
}

async function measure(
  { session, owner, members }: LargeOrganization,
  node: ProbedNode,
  call: Call,
): Promise<Figure[]> {
  const measured = []
  for (let round = 0; round <= rounds; round++) {
    const cpu = [await node.probe.cpu(), (await processorTime(session)) ?? 0] as const
    const { took, bytes } = await send(node, members[round] ?? owner, call)
    measured.push({
      took,
      bytes,
      node: (await node.probe.cpu()) - cpu[0],
      postgres: ((await processorTime(session)) ?? Number.NaN) - cpu[1],
    })
    print(`${call.label}: ${show(measured.at(-1) as (typeof measured)[0])}`)
  }
  const [first, ...others] = measured as [(typeof measured)[0], ...typeof measured]
  const usual = {
    took: median(others.map(({ took }) => took)),
    bytes: first.bytes,
    node: median(others.map((one) => one.node)),
    postgres: median(others.map(({ postgres }) => postgres)),
  }
  return [
    {
      label: `${call.label} with ${people.toLocaleString('en')} people`,
      measured: show(usual),
      ...(call.path === register.path && { wanted: bound('at most 0.7 s', usual.took <= maxRegisterMs) }),
    },
    { label: '    the first one', measured: show(first) },
  ]
}

const show = ({ took, bytes, node, postgres }: Record<'took' | 'bytes' | 'node' | 'postgres', number>) =>
  `${took.toFixed(0)} ms, ${megabytes(bytes)}; processor: node ${node.toFixed(0)} ms, PostgreSQL ${postgres.toFixed(0)} ms`

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

/**
 * Measures how much the memory of the node rises while callers register at once. The memory in use after
 * a garbage collection is sampled too, because resident memory can stay the same: a node that has read all
 * users keeps free pages, which the responses fill first.
 */
async function measureAtOnce(node: ProbedNode, members: readonly Account[], kind: string): Promise<Figure> {
  const label = `${callersAtOnce} registrations at once, ${kind}`
  const before = await node.probe.memory()
  const cpu = await node.probe.cpu()
  const start = performance.now()
  const sending = Promise.all(members.slice(0, callersAtOnce).map((account) => send(node, account, register)))
  const sampling = samplePeaks(node, sending)
  const bytes = await sending.then(
    (all) => all.reduce((sum, sent) => sum + sent.bytes, 0),
    (error: Error) => error,
  )
  const took = performance.now() - start
  const peaks = await sampling
  const [rss, used] = [peaks.rss - before.rss, peaks.heap - before.heap]
  const memory = `memory: ${megabytes(used)} more in use, ${megabytes(rss)} more resident`
  // Other responses may still be under way, so nothing can be concluded from the memory.
  if (bytes instanceof Error) return { label, measured: `failed: ${bytes.message}; ${memory} until then` }
  const processor = `processor: node ${((await node.probe.cpu()) - cpu).toFixed(0)} ms with the sampling`
  return {
    label,
    measured: `${took.toFixed(0)} ms, ${megabytes(bytes)}; ${processor}; ${memory}`,
    wanted: bound('at most 60 MB', Math.max(rss, used) <= maxExtraBytes),
  }
}

const sampleMs = 100

/** Returns the highest figures of the node's memory until the requests are answered. */
async function samplePeaks({ probe, pid }: ProbedNode, sending: Promise<unknown>): Promise<Memory> {
  let isDone = false
  const finish = () => {
    isDone = true
  }
  sending.then(finish, finish)
  const peaks = { heap: 0, rss: 0 }
  while (!isDone) {
    peaks.rss = Math.max(peaks.rss, residentBytes(pid))
    const { heap, rss } = await probe.memory()
    peaks.heap = Math.max(peaks.heap, heap)
    peaks.rss = Math.max(peaks.rss, rss)
    await setTimeout(sampleMs)
  }
  return peaks
}

const bytesPerPage = 4_096

function residentBytes(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * bytesPerPage
}

/** Sends a request and discards the response, so that the client takes little processor time. */
function send(
  { url }: { url: string },
  account: Account,
  { method, path }: Call,
): Promise<{ took: number; bytes: number }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ took: number; bytes: number }>()
  const start = performance.now()
  const sent = request(
    `${url}/api/v1${path}`,
    { method, headers: { authorization: basic(account) }, agent: new Agent() },
    (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () =>
        response.statusCode === 200
          ? resolve({ took: performance.now() - start, bytes })
          : reject(new Error(`${method} ${path} was refused with ${response.statusCode}`)),
      )
    },
  )
  sent.on('error', reject)
  sent.end()
  return promise
}
