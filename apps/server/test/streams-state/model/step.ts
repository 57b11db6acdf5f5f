import { ApiError } from '@oxbow/contract'
import type { Client } from '@oxbow/sdk'
import type { NodeName } from '@oxbow/testkit'
import fc from 'fast-check'
import { type Name, names, type Picture, type PicturedStream } from './picture.ts'
import type { Real } from './real.ts'

/** The user and the node of a step. */
export interface Actor {
  by: Name
  at: NodeName
}

export interface Act {
  /** Makes the call, which may be refused. */
  call(client: Client): Promise<unknown>
  /** Changes the picture; runs only if the call succeeded. */
  change(): void | Promise<void>
}

/** One step of a story: it succeeds or is refused, and then everyone sees what they should. */
export function step<Given extends object>(
  kind: string,
  who: fc.Arbitrary<Actor>,
  what: { [Key in keyof Given]: fc.Arbitrary<Given[Key]> },
  act: (drawn: Given & Actor, picture: Picture, real: Real) => Act | undefined,
): fc.Arbitrary<fc.AsyncCommand<Picture, Real>> {
  const record = fc.record(what) as fc.Arbitrary<Given>
  return fc.tuple(who, record).map(([actor, drawn]) => ({
    check: (picture) => !('stream' in drawn) || picture.streams.length > 0,
    async run(picture, real) {
      const before = structuredClone(picture)
      const received = act({ ...actor, ...drawn }, picture, real)
      if (!received) return
      const outcomes = real.outcomesOf(kind)
      try {
        await received.call(real.people[actor.by].on(actor.at))
        outcomes.done++
        await received.change()
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error
        outcomes.refused++
      }
      await real.compare(before, picture)
    },
    toString: () => `${kind} ${JSON.stringify({ ...actor, ...drawn })}`,
  }))
}

const at = fc.constantFrom<NodeName>('a', 'b')
const someone = fc.constantFrom(...names)
export const anyone = fc.record({ by: someone, at })
/** A user and node, mostly those of an administrator. */
export const mostlyAdministrators = fc.record({
  by: fc.oneof(
    { arbitrary: fc.constantFrom<Name>('owner', 'ada'), weight: 2 },
    { arbitrary: someone, weight: 1 },
  ),
  at,
})

export const whom = fc.constantFrom(...names.filter((name) => name !== 'owner'))
export const people = fc.uniqueArray(someone, { minLength: 1, maxLength: 4 })
/** Users of a step. An empty list means the caller. */
export const peopleOrSelf = fc.uniqueArray(someone, { maxLength: 4 })

/** An index that counts from the newest stream, where most happens. */
export const stream = fc.nat({ max: 3 })
export function pick({ streams }: Picture, back: number): PicturedStream {
  return streams.at(-1 - (back % streams.length)) as PicturedStream
}
