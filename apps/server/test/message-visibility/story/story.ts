import assert from 'node:assert/strict'
import type { State } from '@oxbow/sdk'
import { Dice } from '@oxbow/testkit/seed'
import { bySize } from '@oxbow/testkit/size'
import fc from 'fast-check'
import { checkEveryone } from '../checks/check.ts'
import { checkEvents } from '../checks/events.ts'
import { unreadIn } from '../checks/unread.ts'
import { resolveUncertain } from '../model/changes.ts'
import { type Kind, type Model, type Name, names } from '../model/model.ts'
import { Queues } from '../server/queues.ts'
import { States } from '../server/states.ts'
import type { TestedServer } from '../server/tested-server.ts'
import { flagActions } from './flag-actions.ts'
import { messageActions } from './message-actions.ts'
import type { RandomAction } from './random-action.ts'
import { reactionActions } from './reaction-actions.ts'
import { readActions } from './read-actions.ts'
import { playRound } from './round.ts'
import { sendActions } from './send-actions.ts'
import { streamActions } from './stream-actions.ts'
import { submessageActions } from './submessage-actions.ts'

export interface Story {
  members: Record<string, readonly Name[]>
  rounds: readonly (readonly RandomAction[])[]
  /** Seed for choosing the checks at random. */
  seed: number
}

/**
 * Numbers of ids to skip. A search reads the 16,384 ids next to the anchor without the index, and
 * then queries the index in slices of 1,048,576 ids. Each number is slightly more than one of these.
 */
const skippedIds = [20_000, 1_100_000]

const kinds: Record<string, Kind> = {
  apple: 'public',
  birch: 'public',
  cherry: 'public',
  damson: 'shared',
  elder: 'protected',
}

const member = fc.constantFrom(...names)
const members = fc
  .uniqueArray(member, { minLength: 2, maxLength: 5 })
  .map((others) => ['ada' as const, ...others])
const anyAction = fc.oneof(
  ...sendActions,
  ...streamActions,
  ...messageActions,
  ...flagActions,
  ...reactionActions,
  ...submessageActions,
  ...readActions,
)
/** Rounds after the first. The only story of the gate must have several. */
const roundCounts = bySize({ gate: { minLength: 6, maxLength: 8 }, long: { minLength: 0, maxLength: 16 } })
const onlySends = fc.array(fc.oneof(...sendActions), { minLength: 4, maxLength: 8, size: 'max' })

export const story: fc.Arbitrary<Story> = fc.record({
  members: fc.record(Object.fromEntries(Object.keys(kinds).map((word) => [word, members]))),
  rounds: fc
    .tuple(
      onlySends,
      fc.array(fc.array(anyAction, { minLength: 2, maxLength: 12, size: 'max' }), {
        ...roundCounts,
        size: 'max',
      }),
    )
    .map(([first, others]) => [first, ...others]),
  seed: fc.nat(),
})

export async function playStory(server: TestedServer, { members, rounds, seed }: Story): Promise<void> {
  const dice = new Dice(seed)
  const queues = new Queues(server)
  const states = new States(server)
  const streams = Object.entries(kinds).map(([word, kind]) => [
    word,
    { kind, members: [...new Set(members[word])] },
  ])
  let model = await server.beginStory(Object.fromEntries(streams))
  const ids = new Set<number>()
  const journal: string[] = []
  try {
    for (const [index, actions] of rounds.entries()) {
      if (dice.isLikely(0.4)) await server.skipIds(dice.pick(skippedIds))
      await queues.open(model)
      await states.open(model)
      journal.push(`round ${index}:`)
      const round = await playRound(server, model, actions, index * 100, journal)
      model = round.model
      for (const { plan, refusal } of round.outcomes) server.count(plan.kind, refusal === undefined)
      for (const name of round.deactivated) for (const checker of [queues, states]) checker.forget(name)
      for (const id of model.messages.keys()) ids.add(id)
      const fresh = await takeStates(states, model, dice)
      for (const { watch, events } of await queues.take())
        checkEvents(model, watch, events, (id) => server.nameOf(id))
      await checkEveryone({ server, model, states: fresh, ids: [...ids] }, dice, index === rounds.length - 1)
    }
  } catch (error) {
    const logged = server.world.log.entries(50).map((entry) => JSON.stringify(entry))
    const story = [...journal, ...(logged.length > 0 ? ['what the nodes logged:', ...logged] : [])]
    throw new Error(`${error}\n\nwhat happened before:\n${story.join('\n')}`, { cause: error })
  }
}

async function takeStates(states: States, model: Model, dice: Dice): Promise<Map<Name, State>> {
  const active = names.filter((name) => model.accounts[name].isActive)
  const snapshots = await Promise.all(
    active.map(async (name) => [name, await states.take(name, dice.pick(['a', 'b']), model)] as const),
  )
  for (const [name, state] of snapshots) resolveUncertain(model, name, unreadIn(state))
  return new Map(snapshots)
}

export interface Count {
  done: number
  refused: number
}

/** Asserts that most actions succeeded, because a story in which all are refused would test nothing. */
export function assertMostSucceeded(outcomes: Readonly<Record<string, Count>>): void {
  const total = (outcome: keyof Count) =>
    Object.values(outcomes).reduce((sum, counts) => sum + counts[outcome], 0)
  assert.ok(total('done') > total('refused'), `most actions were refused: ${JSON.stringify(outcomes)}`)
}
