import type { State } from '@oxbow/sdk'
import type { NodeName } from '@oxbow/testkit'
import type { Dice } from '@oxbow/testkit/seed'
import type { Model, Name } from '../model/model.ts'
import { type Condition, listConditions, negate, type Viewer } from '../model/narrows.ts'
import type { TestedServer } from '../server/tested-server.ts'
import { checkConversations } from './conversations.ts'
import { checkFiles } from './files.ts'
import { checkListed, everything, pickPage } from './listed.ts'
import { checkMessage } from './message.ts'
import { checkState, mutedIn } from './unread.ts'

export interface Seen {
  server: TestedServer
  model: Model
  states: ReadonlyMap<Name, State>
  /** Ids of existing and deleted messages. */
  ids: readonly number[]
}

/** Checks a random sample after each round, and everything at the end of a story. */
export async function checkEveryone(seen: Seen, dice: Dice, isEnd: boolean): Promise<void> {
  await Promise.all([...seen.states].map(([name, state]) => checkOne(seen, name, state, dice, isEnd)))
}

async function checkOne(
  { server, model, ids }: Seen,
  name: Name,
  state: State,
  dice: Dice,
  isEnd: boolean,
): Promise<void> {
  const client = () => server.client(name, dice.pick<NodeName>(['a', 'b']))
  const viewer: Viewer = { model, name, muted: mutedIn(state), idOf: (who) => server.idOf(who) }
  checkState(viewer, state)

  const conditions = listConditions(viewer)
  await checkListed(viewer, client(), [], everything)
  if (isEnd || dice.isLikely(0.3)) await checkConversations(viewer, client(), dice)
  for (const narrow of narrowsFor(dice, conditions, isEnd)) {
    await checkListed(viewer, client(), narrow, dice.isLikely(0.4) ? everything : pickPage(dice, model))
  }
  for (const id of isEnd ? ids : dice.sample(ids, 3)) await checkMessage(viewer, client(), id)
  await checkFiles(viewer, server, isEnd ? server.uris : dice.sample(server.uris, 2), dice)
}

function narrowsFor(dice: Dice, conditions: readonly Condition[], isEnd: boolean): Condition[][] {
  const maybeNegate = (condition: Condition) => (dice.isLikely(0.3) ? negate(condition) : condition)
  // There is one `id` condition per message, so most of them are left out.
  const sampled = conditions.filter(({ term }) => term.operator !== 'id' || dice.isLikely(0.1))
  const combine = (count: number, size: number) =>
    Array.from({ length: count }, () => dice.sample(sampled, size).map(maybeNegate))
  if (!isEnd) return [...combine(2, 1), ...combine(3, 2), ...combine(1, 3)]
  return [...sampled.map((condition) => [maybeNegate(condition)]), ...combine(20, 2), ...combine(5, 3)]
}
