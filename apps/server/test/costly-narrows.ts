import type { NarrowOperatorName, NarrowTerm } from '@oxbow/contract'
import type { Person, World } from '@oxbow/testkit'

export interface CostlyNarrow {
  what: string
  terms: NarrowTerm[]
}

const maxTerms = 20
const numbers = Array.from({ length: maxTerms }, (_, number) => number)

type MakeTerm = (index: number) => NarrowTerm

/**
 * Creates people, streams and conversations, and 50 narrows with the maximum number of different
 * terms: twenty terms of each kind, twenty negated terms of each kind, and mixtures. Mixtures
 * combine kinds that use different indexes.
 */
export async function costlyNarrows(world: World, reader: Person): Promise<CostlyNarrow[]> {
  const people: Person[] = []
  for (const number of numbers) people.push(await world.person(`p${number}`))
  for (const number of numbers) await world.stream(`s${number}`, { members: [reader, ...people.slice(0, 3)] })
  for (const [index, person] of people.entries()) {
    const others = [person, people[(index + 1) % maxTerms] as Person]
    await reader.messages.send({
      type: 'private',
      to: others.map(({ user_id }) => user_id),
      content: `rose ${index} **bold** http://garden.example/${index}`,
    })
    for (let count = 0; count < 2; count++) {
      const topic = `t${count}`
      await people[0]?.messages.send({ type: 'stream', to: `s${index}`, topic, content: `rose ${count}` })
    }
  }
  const kinds = termKinds(people)
  const single = [...kinds].flatMap(([kind, term]) => [
    { what: `20 × ${kind}`, terms: numbers.map(term) },
    { what: `20 × not ${kind}`, terms: numbers.map((index) => ({ ...term(index), negated: true })) },
  ])
  const mixed = Array.from({ length: 50 - single.length }, (_, number) => ({
    what: `mixture ${number}`,
    terms: mix([...kinds.values()], number),
  }))
  return [...single, ...mixed]
}

function termKinds(people: readonly Person[]): Map<string, MakeTerm> {
  const idOf = (index: number) => people[index % maxTerms]?.user_id as number
  const manyOperands = {
    stream: (index: number) => `s${index}`,
    topic: (index: number) => `t${index}`,
    sender: idOf,
    'pm-with': (index: number) => [idOf(index), idOf(index + 1)],
    'group-pm-with': idOf,
    id: (index: number) => String(index + 1),
    search: (index: number) => `rose ${'word '.repeat(index)}${index}`,
  }
  const fewOperands: Record<Exclude<NarrowOperatorName, keyof typeof manyOperands>, string[]> = {
    is: ['private', 'starred', 'unread', 'mentioned', 'alerted', 'followed'],
    has: ['link', 'image', 'attachment'],
    in: ['home', 'all'],
    near: ['1'],
    streams: ['public'],
  }
  const fixed = Object.entries(fewOperands).flatMap(([operator, operands]) =>
    operands.map((operand) => ({ operator, operand })),
  )
  const kinds = Object.entries(manyOperands).map(([operator, operandFor]): [string, MakeTerm] => [
    operator,
    (index) => ({ operator, operand: operandFor(index), negated: false }),
  ])
  return new Map<string, MakeTerm>([
    ...kinds,
    [
      'own',
      (index) => {
        const { operator, operand } = fixed[index % fixed.length] as (typeof fixed)[number]
        return { operator, operand, negated: index >= fixed.length }
      },
    ],
  ])
}

/** Returns positive and negated terms of several kinds. Terms differ for each `number`. */
function mix(kinds: readonly MakeTerm[], number: number): NarrowTerm[] {
  return numbers.map((index) => {
    const make = kinds[(index * (1 + (number % 7)) + number) % kinds.length] as MakeTerm
    const made = make((index + number) % maxTerms)
    return { ...made, negated: (index + number) % (2 + (number % 3)) !== 0 }
  })
}
