import { isAdministrator } from '@oxbow/contract'
import type { NodeName } from '@oxbow/testkit'
import fc from 'fast-check'
import { type Message, type Model, type Name, names, type Stream } from '../model/model.ts'
import type { Plan, Scene } from './plan.ts'

/** What may become a plan when its round comes: that depends on what there is by then. */
export interface Wish {
  kind: string
  /** Of whom it is uncertain whether they are there in its round. */
  unsettles(model: Model): readonly Name[]
  plan(scene: Scene): Plan | undefined
  toString(): string
}

type Given<Shape> = { [Key in keyof Shape]: fc.Arbitrary<Shape[Key]> }
/** Everything of a plan but what is the same for all. */
export type Planned = Omit<Plan, 'kind' | 'at'> | undefined

export function wish<Shape extends object>(
  kind: string,
  shape: Given<Shape>,
  plan: (given: Shape & { at: NodeName }, scene: Scene) => Planned,
  unsettles: (given: Shape, model: Model) => readonly Name[] = () => [],
): fc.Arbitrary<Wish> {
  const at = fc.constantFrom<NodeName>('a', 'b')
  return fc.tuple(fc.record(shape) as unknown as fc.Arbitrary<Shape>, at).map(([given, at]) => ({
    kind,
    unsettles: (model) => unsettles(given, model),
    plan(scene) {
      const planned = plan({ ...given, at }, scene)
      if (!planned || !scene.model.accounts[planned.by].isActive) return undefined
      return { ...planned, kind, at, label: `${planned.by}@${at}: ${kind} ${planned.label}` }
    },
    toString: () => `${kind} ${JSON.stringify({ at, ...given })}`,
  }))
}

export const someone = fc.constantFrom(...names)
export const some = fc.nat({ max: 7 })
export const people = fc.uniqueArray(someone, { minLength: 1, maxLength: 3 })

/** Mostly of those that fit. */
export function pickStream(
  { streams }: Model,
  place: number,
  fits: (stream: Stream) => boolean = ({ isArchived }) => !isArchived,
): Stream {
  return pickMostly([...streams.values()], place, fits) as Stream
}

/** Of the newest, and mostly of those that fit. */
export function pickMessage(
  { messages }: Model,
  place: number,
  fits: (message: Message) => boolean = () => true,
): Message | undefined {
  const newest = [...messages.values()].sort((a, b) => b.id - a.id)
  return pickMostly(newest, place, fits)
}

export function pickMostly<Item>(
  items: readonly Item[],
  place: number,
  fits: (item: Item) => boolean,
): Item | undefined {
  const fitting = items.filter(fits)
  const chosen = place % 6 === 5 || fitting.length === 0 ? items : fitting
  return chosen[place % Math.max(chosen.length, 1)]
}

/** Whoever may do most things, of those who are in the stream if there is one, unless it is to be someone in particular. */
export function administrator({ accounts }: Model, wished: Name, place: number, stream?: Stream): Name {
  if (place % 4 === 3) return wished
  const administrators = names.filter(
    (name) => accounts[name].isActive && isAdministrator(accounts[name].role) && name !== 'robin',
  )
  return pickMostly(administrators, place, (name) => stream?.members.has(name) ?? true) ?? 'owner'
}
