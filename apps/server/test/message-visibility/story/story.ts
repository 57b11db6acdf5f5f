import assert from 'node:assert/strict'
import type { State } from '@oxbow/sdk'
import fc from 'fast-check'
import { checkEveryone } from '../checks/check.ts'
import { checkEvents } from '../checks/events.ts'
import { unreadIn } from '../checks/unread.ts'
import { resolveUncertain } from '../model/changes.ts'
import { type Kind, type Model, type Name, names } from '../model/model.ts'
import { Queues } from '../server/queues.ts'
import type { Real } from '../server/real.ts'
import { States } from '../server/states.ts'
import { Dice } from './dice.ts'
import { flagWishes } from './flag-wishes.ts'
import { lookWishes } from './look-wishes.ts'
import { messageWishes } from './message-wishes.ts'
import { reactionWishes } from './reaction-wishes.ts'
import { playRound } from './round.ts'
import { sendWishes } from './send-wishes.ts'
import { streamWishes } from './stream-wishes.ts'
import { submessageWishes } from './submessage-wishes.ts'
import type { Wish } from './wish.ts'

export interface Story {
  members: Record<string, readonly Name[]>
  rounds: readonly (readonly Wish[])[]
  /** Decides what is checked. */
  seed: number
}

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
  .map((some) => ['ada' as const, ...some])
const anything = fc.oneof(
  ...sendWishes,
  ...streamWishes,
  ...messageWishes,
  ...flagWishes,
  ...reactionWishes,
  ...submessageWishes,
  ...lookWishes,
)
const onlySends = fc.array(fc.oneof(...sendWishes), { minLength: 4, maxLength: 8, size: 'max' })

export const story: fc.Arbitrary<Story> = fc.record({
  members: fc.record(Object.fromEntries(Object.keys(kinds).map((word) => [word, members]))),
  rounds: fc
    .tuple(
      onlySends,
      fc.array(fc.array(anything, { minLength: 2, maxLength: 12, size: 'max' }), {
        maxLength: 16,
        size: 'max',
      }),
    )
    .map(([first, others]) => [first, ...others]),
  seed: fc.nat(),
})

export async function playStory(real: Real, { members, rounds, seed }: Story): Promise<void> {
  const dice = new Dice(seed)
  const queues = new Queues(real)
  const states = new States(real)
  const streams = Object.entries(kinds).map(([word, kind]) => [
    word,
    { kind, members: [...new Set(members[word])] },
  ])
  let model = await real.beginStory(Object.fromEntries(streams))
  const ids = new Set<number>()
  const journal: string[] = []
  try {
    for (const [index, wishes] of rounds.entries()) {
      if (dice.isLikely(0.4)) await real.skipIds(dice.pick([20_000, 1_100_000]))
      await queues.open(model)
      await states.open(model)
      journal.push(`round ${index}:`)
      const round = await playRound(real, model, wishes, index * 100, journal)
      model = round.model
      for (const { plan, refusal } of round.outcomes) real.count(plan.kind, refusal === undefined)
      for (const name of round.deactivated) for (const checker of [queues, states]) checker.forget(name)
      for (const id of model.messages.keys()) ids.add(id)
      const fresh = await takeStates(states, model, dice)
      for (const { watch, events } of await queues.take())
        checkEvents(model, watch, events, (id) => real.nameOf(id))
      await checkEveryone({ real, model, states: fresh, ids: [...ids] }, dice, index === rounds.length - 1)
    }
  } catch (error) {
    const logged = real.world.log.entries(50).map((entry) => JSON.stringify(entry))
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

/** Asserts that most actions succeeded, because a test that is refused everything tests nothing. */
export function assertTried(outcomes: Readonly<Record<string, Count>>): void {
  const total = (outcome: keyof Count) =>
    Object.values(outcomes).reduce((sum, counts) => sum + counts[outcome], 0)
  assert.ok(total('done') > total('refused'), `most was refused: ${JSON.stringify(outcomes)}`)
}
