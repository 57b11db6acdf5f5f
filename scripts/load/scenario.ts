import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

const count = z.number().int().nonnegative()
const share = z.number().min(0).max(1)

/** Actions of people, with their relative frequencies. */
const actions = z.strictObject({
  /** Opens a topic and marks its newest messages as read. */
  open: z.number(),
  /** Reads older messages of the stream. */
  scroll: z.number(),
  /** Opens a private conversation. */
  direct: z.number(),
  send: z.number(),
  sendDirect: z.number(),
  react: z.number(),
  edit: z.number(),
  search: z.number(),
  /** Registers again, like a browser that reloads the page. */
  reload: z.number(),
  /** Opens the connection for events again, with the same queue. */
  reconnect: z.number(),
})
export type ActionName = keyof z.infer<typeof actions>

const phase = z.strictObject({
  phase: z.string(),
  /** Duration; not needed if people arrive. */
  seconds: z.number().positive().optional(),
  /** People register at this rate, until all are online. */
  arrivalsPerSecond: z.number().positive().optional(),
  /** One message to everyone, and reactions to it. */
  announcement: z.strictObject({ reactions: count }).optional(),
  /** Restarts the node, as a deployment does. */
  restart: z.literal('node').optional(),
  everyoneLeaves: z.literal(true).optional(),
  /** Whether the limits of latency apply. Lost messages and the like are always judged. */
  isJudged: z.literal(true).optional(),
})
export type Phase = z.infer<typeof phase>

const scenario = z.strictObject({
  name: z.string(),
  seed: count,
  /** People who are online. */
  people: z.number().int().positive(),
  /** Clients of each person on average, at least one. */
  clientsEach: z.number().min(1),
  /** Shares of clients by the way in which they receive events. */
  clients: z.strictObject({ stream: share, poll: share }),
  organization: z.strictObject({
    people: z.number().int().positive(),
    /** The stream of rank k has people × k^-zipf members. Everyone is in the first. */
    streams: z.strictObject({ count: z.number().int().positive(), zipf: z.number(), smallest: count }),
    /** Each person has a random number of unread messages, with this median and this 99th percentile. */
    history: z.strictObject({ messages: count, unreadMedian: count, unreadP99: count }),
  }),
  /** Mean time between two actions of a person. */
  secondsBetween: z.number().positive(),
  actions,
  day: z.array(phase).min(1),
  limits: z.strictObject({
    lagP99Ms: z.number(),
    sendP99Ms: z.number(),
    pageP99Ms: z.number(),
    errorShare: share,
  }),
})
export type Scenario = z.infer<typeof scenario>

const folder = join(import.meta.dirname, 'scenarios')

export const listScenarios = (): string[] =>
  readdirSync(folder)
    .map((file) => file.replace(/\.json$/, ''))
    .sort()

/** Options of the command line that change a scenario. */
export interface Changes {
  people?: number | undefined
  /** Duration of the judged phase `work`. */
  minutes?: number | undefined
  secondsBetween?: number | undefined
  seed?: number | undefined
}

export function loadScenario(name: string, changes: Changes = {}): Scenario {
  if (!listScenarios().includes(name))
    throw new Error(`There is no scenario ${name}. Choose from: ${listScenarios().join(', ')}`)
  const loaded = scenario.parse(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')))
  const people = changes.people ?? loaded.people
  return {
    ...loaded,
    people,
    secondsBetween: changes.secondsBetween ?? loaded.secondsBetween,
    seed: changes.seed ?? loaded.seed,
    organization: { ...loaded.organization, people: Math.max(people, loaded.organization.people) },
    day: loaded.day.map((each) =>
      each.phase === 'work' && changes.minutes ? { ...each, seconds: changes.minutes * 60 } : each,
    ),
  }
}

export const secondsOf = (phase: Phase, people: number): number =>
  phase.seconds ?? Math.ceil(people / (phase.arrivalsPerSecond ?? 25))
