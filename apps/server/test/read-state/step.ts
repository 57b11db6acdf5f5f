import assert from 'node:assert/strict'
import { ApiError } from '@oxbow/contract'
import type { Client } from '@oxbow/sdk'
import type { NodeName } from '@oxbow/testkit'
import fc from 'fast-check'
import { type Name, names, type Picture, type PicturedMessage, type PicturedStream } from './picture.ts'
import type { Real } from './real.ts'

interface Actor {
  by: Name
  at: NodeName
  /** Whether the horizon is raised first, so that the server knows all messages that are not held. */
  isSettled: boolean
}

interface Act {
  /** Whether the picture expects a refusal. */
  isRefused?: boolean
  call(client: Client): Promise<unknown>
  change(): void
}

type DrawnValues = Record<string, unknown>

/**
 * One step of a story: it succeeds or is refused as the picture says, and then everyone sees what they
 * should.
 */
export function step<What extends DrawnValues>(
  kind: string,
  what: { [Key in keyof What]: fc.Arbitrary<What[Key]> },
  act: (drawn: What & Actor, picture: Picture, real: Real) => Act | undefined,
): fc.Arbitrary<fc.AsyncCommand<Picture, Real>> {
  return fc.tuple(actor, fc.record(what) as fc.Arbitrary<What>).map(([by, drawn]) => ({
    check: () => true,
    async run(picture, real) {
      const received = act({ ...by, ...drawn }, picture, real)
      if (!received) return
      if (by.isSettled) await real.raiseHorizon()
      const outcomes = real.outcomesOf(kind)
      const refused = await received.call(real.people[by.by].on(by.at)).then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof ApiError && error.status < 500) return error
          throw error
        },
      )
      assert.equal(refused !== undefined, received.isRefused ?? false, `${refused}`)
      outcomes[refused ? 'refused' : 'done']++
      if (!refused) received.change()
      await real.compare(picture)
    },
    toString: () => `${kind} ${JSON.stringify({ ...by, ...drawn })}`,
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

export const pick = ({ messages }: Picture, back: number) => messages.at(-1 - (back % messages.length))
export const pickSome = (picture: Picture, backs: readonly number[]) => [
  ...new Set(backs.flatMap((back) => pick(picture, back) ?? [])),
]
export const streamAt = ({ streams }: Picture, index: number) => streams[index] as PicturedStream
export const idsOf = (messages: readonly PicturedMessage[]) => messages.map(({ id }) => id)

/** Returns whether the user may send to the stream. All streams are public, but guests must be subscribed. */
export const mayPost = (by: Name, { members }: PicturedStream) => by !== 'gus' || members.has(by)
