import { ApiError } from '@oxbow/contract'
import type { Client } from '@oxbow/sdk'
import type { NodeName } from '@oxbow/testkit'
import fc from 'fast-check'
import { type Model, type ModelStream, type Name, names } from './model.ts'
import type { TestedServer } from './tested-server.ts'

/** The user who makes the call of a step, and the node that gets it. */
export interface Actor {
  by: Name
  at: NodeName
}

export interface Act {
  /** Makes the call, which may be refused. */
  call(client: Client): Promise<unknown>
  /** Updates the expected state. Runs only if the call succeeded. */
  change(): void | Promise<void>
}

/**
 * Creates a step of a story: the call succeeds or is refused, and then everyone sees the expected
 * state.
 */
export function step<Given extends object>(
  kind: string,
  who: fc.Arbitrary<Actor>,
  what: { [Key in keyof Given]: fc.Arbitrary<Given[Key]> },
  act: (drawn: Given & Actor, model: Model, server: TestedServer) => Act | undefined,
): fc.Arbitrary<fc.AsyncCommand<Model, TestedServer>> {
  const record = fc.record(what) as fc.Arbitrary<Given>
  return fc.tuple(who, record).map(([actor, drawn]) => ({
    check: (model) => !('stream' in drawn) || model.streams.length > 0,
    async run(model, server) {
      const before = structuredClone(model)
      const received = act({ ...actor, ...drawn }, model, server)
      if (!received) return
      const outcomes = server.outcomesOf(kind)
      try {
        await received.call(server.people[actor.by].on(actor.at))
        outcomes.done++
        await received.change()
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error
        outcomes.refused++
      }
      await server.compare(before, model)
    },
    toString: () => `${kind} ${JSON.stringify({ ...actor, ...drawn })}`,
  }))
}

const at = fc.constantFrom<NodeName>('a', 'b')
const someone = fc.constantFrom(...names)
export const anyone = fc.record({ by: someone, at })
/** A user and a node; in most cases the user is an administrator. */
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

/** An index that counts from the newest stream, because most steps concern new streams. */
export const stream = fc.nat({ max: 3 })
export function pick({ streams }: Model, back: number): ModelStream {
  return streams.at(-1 - (back % streams.length)) as ModelStream
}
