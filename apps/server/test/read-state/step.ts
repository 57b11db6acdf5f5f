import assert from 'node:assert/strict'
import { ApiError } from '@oxbow/contract'
import type { Client } from '@oxbow/sdk'
import type { NodeName } from '@oxbow/testkit'
import fc from 'fast-check'
import { type Model, type ModelMessage, type ModelStream, type Name, names } from './model.ts'
import type { TestedServer } from './tested-server.ts'

interface Actor {
  by: Name
  at: NodeName
  /** Whether the horizon is raised first, so that it covers all messages that are not held. */
  isSettled: boolean
}

interface Act {
  /** Whether a refusal is expected. */
  isRefused?: boolean
  call(client: Client): Promise<unknown>
  change(): void
}

type DrawnValues = Record<string, unknown>

/**
 * Creates a step of a story: the call succeeds or is refused as expected, and then everyone sees
 * the expected state.
 */
export function step<What extends DrawnValues>(
  kind: string,
  what: { [Key in keyof What]: fc.Arbitrary<What[Key]> },
  act: (drawn: What & Actor, model: Model, server: TestedServer) => Act | undefined,
): fc.Arbitrary<fc.AsyncCommand<Model, TestedServer>> {
  return fc.tuple(actor, fc.record(what) as fc.Arbitrary<What>).map(([who, drawn]) => ({
    check: () => true,
    async run(model, server) {
      const planned = act({ ...who, ...drawn }, model, server)
      if (!planned) return
      if (who.isSettled) await server.raiseHorizon()
      const outcomes = server.outcomesOf(kind)
      const refused = await planned.call(server.people[who.by].on(who.at)).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof ApiError && error.status < 500) return error
          throw error
        },
      )
      assert.equal(refused !== undefined, planned.isRefused ?? false, `${refused}`)
      outcomes[refused ? 'refused' : 'done']++
      if (!refused) planned.change()
      await server.compare(model)
    },
    toString: () => `${kind} ${JSON.stringify({ ...who, ...drawn })}`,
  }))
}

export const someone = fc.constantFrom(...names)
const actor: fc.Arbitrary<Actor> = fc.record({
  by: someone,
  at: fc.constantFrom<NodeName>('a', 'b'),
  isSettled: fc.boolean(),
})
export const stream = fc.nat({ max: 2 })
export const topic = fc.constantFrom('weeds', 'Weeds', 'moles')
/** An index that counts from the newest message. */
export const index = fc.nat({ max: 9 })
export const some = fc.uniqueArray(fc.nat({ max: 9 }), { minLength: 1, maxLength: 6 })

export const pick = ({ messages }: Model, back: number) => messages.at(-1 - (back % messages.length))
export const pickSome = (model: Model, backs: readonly number[]) => [
  ...new Set(backs.flatMap((back) => pick(model, back) ?? [])),
]
export const streamAt = ({ streams }: Model, index: number) => streams[index] as ModelStream
export const idsOf = (messages: readonly ModelMessage[]) => messages.map(({ id }) => id)

/** Returns whether the user may send to the stream. All streams are public, but guests must be subscribed. */
export const mayPost = (by: Name, { members }: ModelStream) => by !== 'gus' || members.has(by)
