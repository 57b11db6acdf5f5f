import { join } from 'node:path'
import { type Account, basic, startNodeProcess } from '@oxbow/testkit'
import type { ProbedNode } from '../events/bench-organization.ts'
import { median } from '../figures.ts'
import { makeProbe } from '../probe/ask-probe.ts'
import type { Stalls } from '../probe/watch-loop.ts'
import type { LargeOrganization } from './large-organization.ts'

/** Starts a node that also reports the number of statements of each request. */
export async function startCountingNode({ database }: LargeOrganization): Promise<ProbedNode> {
  const probe = await makeProbe()
  const counter = join(import.meta.dirname, 'count-statements.ts')
  const env = { ...probe.env, NODE_OPTIONS: `${probe.env.NODE_OPTIONS} --import ${counter}` }
  return Object.assign(await startNodeProcess({ database_url: database.url, env }), { probe })
}

export interface Call {
  method?: string
  path: string
  /** Fields of the form. Strings are sent unchanged, other values as JSON. */
  form?: Record<string, unknown>
}

export interface Answer {
  /** Time from the request to the last byte of its response, in milliseconds. */
  took: number
  statements: number
  text: string
  bytes: number
}

export async function call(
  node: { url: string },
  account: Account,
  { method = 'GET', path, form = {} }: Call,
) {
  const fields = Object.entries(form).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const body = new URLSearchParams(fields)
  const headers = { authorization: basic(account) }
  const start = performance.now()
  const response =
    method === 'GET'
      ? await fetch(`${node.url}/api/v1${path}?${body}`, { headers })
      : await fetch(`${node.url}/api/v1${path}`, { method, headers, body })
  const bytes = Buffer.from(await response.arrayBuffer())
  const took = performance.now() - start
  const text = bytes.toString()
  if (!response.ok) throw new Error(`${method} ${path} was refused: ${text.slice(0, 1000)}`)
  const statements = Number(response.headers.get('x-statements'))
  return { took, statements, text, bytes: bytes.length } satisfies Answer
}

/** Runs `work` and returns its result with the longest stalls of the node's event loop during it. */
export async function measureStalls<Result>(
  { probe }: ProbedNode,
  work: () => Promise<Result>,
): Promise<{ result: Result; stalls: Stalls }> {
  await probe.startWatch()
  const result = await work()
  return { result, stalls: await probe.stopWatch() }
}

/** Returns the medians, which single outliers do not affect. */
export const medianStalls = (all: readonly Stalls[]): Stalls => ({
  wall: median(all.map(({ wall }) => wall)),
  work: median(all.map(({ work }) => work)),
  collection: median(all.map(({ collection }) => collection)),
})

export const showStalls = ({ work, wall }: Stalls): string =>
  `longest stop ${work.toFixed(0)} ms of work, ${wall.toFixed(0)} ms by the clock`

export const kilobytes = (bytes: number): string => `${Math.round(bytes / 1000).toLocaleString('en')} KB`
