import { isAdministrator } from '@oxbow/contract'
import type { NodeName } from '@oxbow/testkit'
import fc from 'fast-check'
import { type Message, type Model, type Name, names, type Stream } from '../model/model.ts'
import type { Plan, Scene } from './plan.ts'

/** A random choice that becomes an action in its round, if the state then allows it. */
export interface RandomAction {
  kind: string
  /** Returns the users who may be either active or deactivated during its round. */
  unsettles(model: Model): readonly Name[]
  plan(scene: Scene): Plan | undefined
  toString(): string
}

type Arbitraries<Shape> = { [Key in keyof Shape]: fc.Arbitrary<Shape[Key]> }
/** A plan without the fields that all plans share. */
export type Planned = Omit<Plan, 'kind' | 'at'> | undefined

export function randomAction<Shape extends object>(
  kind: string,
  shape: Arbitraries<Shape>,
  plan: (drawn: Shape & { at: NodeName }, scene: Scene) => Planned,
  unsettles: (drawn: Shape, model: Model) => readonly Name[] = () => [],
): fc.Arbitrary<RandomAction> {
  const at = fc.constantFrom<NodeName>('a', 'b')
  return fc.tuple(fc.record(shape) as unknown as fc.Arbitrary<Shape>, at).map(([drawn, at]) => ({
    kind,
    unsettles: (model) => unsettles(drawn, model),
    plan(scene) {
      const planned = plan({ ...drawn, at }, scene)
      if (!planned || !scene.model.accounts[planned.by].isActive) return undefined
      return { ...planned, kind, at, label: `${planned.by}@${at}: ${kind} ${planned.label}` }
    },
    toString: () => `${kind} ${JSON.stringify({ at, ...drawn })}`,
  }))
}

export const someone = fc.constantFrom(...names)
export const someIndex = fc.nat({ max: 7 })
export const people = fc.uniqueArray(someone, { minLength: 1, maxLength: 3 })

/** Returns a stream; in most cases one for which `fits` returns true. */
export function pickStream(
  { streams }: Model,
  index: number,
  fits: (stream: Stream) => boolean = ({ isArchived }) => !isArchived,
): Stream {
  return pickMostly([...streams.values()], index, fits) as Stream
}

/** Returns one of the newest messages; in most cases one for which `fits` returns true. */
export function pickMessage(
  { messages }: Model,
  index: number,
  fits: (message: Message) => boolean = () => true,
): Message | undefined {
  const newest = [...messages.values()].sort((a, b) => b.id - a.id)
  return pickMostly(newest, index, fits)
}

export function pickMostly<Item>(
  items: readonly Item[],
  index: number,
  fits: (item: Item) => boolean,
): Item | undefined {
  const fitting = items.filter(fits)
  const chosen = index % 6 === 5 || fitting.length === 0 ? items : fitting
  return chosen[index % Math.max(chosen.length, 1)]
}

/**
 * Returns in most cases an active administrator, who is subscribed to the stream if one is given,
 * and otherwise `fallback`.
 */
export function administrator({ accounts }: Model, fallback: Name, index: number, stream?: Stream): Name {
  if (index % 4 === 3) return fallback
  const administrators = names.filter(
    (name) => accounts[name].isActive && isAdministrator(accounts[name].role) && name !== 'robin',
  )
  return pickMostly(administrators, index, (name) => stream?.members.has(name) ?? true) ?? 'owner'
}
