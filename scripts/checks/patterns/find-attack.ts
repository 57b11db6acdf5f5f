import { type Automaton, buildAutomata, type Step } from './pattern-automaton.ts'
import { type Pattern, PatternTooComplex } from './pattern-graph.ts'

export interface Attack {
  prefix: string
  /** The text whose repetition makes the matcher slow. */
  pump: string
  suffix: string
}

const maxVisited = 400_000
/** A match that needs more repetitions of the word is overlooked, so that its pattern counts as slow. */
const maxDistance = 6

/**
 * Returns a text with which matching takes at least quadratic time, or undefined. There is one if
 * the automaton, which includes moving on to the next character, can read a word that leads from
 * one state to the same state, to another state, and from the other to itself: then every
 * repetition of the word multiplies the ways that a matcher tries, or adds as many as there were
 * repetitions before. (This is the criterion of Weber and Seidl for polynomial ambiguity.) Does not
 * find patterns with the flag y that are slow because a loop tries them at each position.
 */
export function findAttack(pattern: Pattern): Attack | undefined {
  for (const automaton of buildAutomata(pattern)) {
    const attack = new Search(automaton).find()
    if (attack) return automaton.isBackward ? reverse(attack) : attack
  }
  return undefined
}

const reverseText = (text: string): string => [...text].reverse().join('')
const reverse = ({ prefix, pump, suffix }: Attack): Attack => ({
  prefix: reverseText(suffix),
  pump: reverseText(pump),
  suffix: reverseText(prefix),
})

/** Where three ways through the automaton are after the same word. */
interface Place {
  states: readonly [number, number, number]
  /** The last character of the word. */
  last: number
  before: Place | undefined
}

function* combine(
  firsts: readonly number[],
  seconds: readonly number[],
  thirds: readonly number[],
): Iterable<Place['states']> {
  for (const first of firsts) {
    for (const second of seconds) for (const third of thirds) yield [first, second, third]
  }
}

function wordTo(place: Place): number[] {
  const word: number[] = []
  for (let at = place; at.before; at = at.before) word.unshift(at.last)
  return word
}

class Search {
  #automaton: Automaton
  #classes: number[]
  /** The states that can be reached from each state. */
  #reach: Set<number>[]
  #followed = new Map<number, number[]>()

  constructor(automaton: Automaton) {
    this.#automaton = automaton
    this.#classes = automaton.characters.map((_, index) => index)
    this.#reach = automaton.states.map((_, state) => this.#listReachable(state))
  }

  find(): Attack | undefined {
    const loops = this.#reach.flatMap((reachable, state) => (reachable.has(state) ? [state] : []))
    for (const from of loops) {
      for (const to of loops) {
        if (from === to || !this.#reach[from]?.has(to)) continue
        for (const last of this.#classes) {
          const attack = this.#findPump(from, to, last)
          if (attack) return attack
        }
      }
    }
    return undefined
  }

  #listReachable(state: number): Set<number> {
    const found = new Set<number>()
    const waiting = [state]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const { target } of this.#automaton.steps[next] ?? []) {
        if (target === undefined || found.has(target)) continue
        found.add(target)
        waiting.push(target)
      }
    }
    return found
  }

  #consumes(state: number, index: number): boolean {
    return (((this.#automaton.states[state] ?? 0n) >> BigInt(index)) & 1n) === 1n
  }

  /** Returns the states after the next character, without those behind a match that comes first. */
  #follow(steps: readonly Step[], last: number | undefined, next: number): number[] {
    const targets: number[] = []
    for (const step of steps) {
      if (!isOpen(step, last, next)) continue
      if (step.target === undefined) break
      if (this.#consumes(step.target, next)) targets.push(step.target)
    }
    return targets
  }

  /** Searches a word that leads from `from` to itself and to `to`, and from `to` to itself. */
  #findPump(from: number, to: number, last: number): Attack | undefined {
    if (!this.#consumes(from, last) || !this.#consumes(to, last)) return undefined
    const visited = new Set<number>()
    const waiting: Place[] = [{ states: [from, from, to], last, before: undefined }]
    for (const place of waiting) {
      const [first, second, third] = place.states
      for (const next of this.#classes) {
        const thirds = this.#followTowards(third, place.last, next, to)
        const seconds = thirds.length === 0 ? [] : this.#followTowards(second, place.last, next, to)
        const firsts = seconds.length === 0 ? [] : this.#followTowards(first, place.last, next, from)
        for (const states of combine(firsts, seconds, thirds)) {
          const further = { states, last: next, before: place }
          if (next === last && states[0] === from && states[1] === to && states[2] === to) {
            const attack = this.#complete(from, to, last, wordTo(further))
            if (attack) return attack
          }
          const key = this.#keyOf(further)
          if (visited.has(key)) continue
          if (visited.size > maxVisited) throw new PatternTooComplex()
          visited.add(key)
          waiting.push(further)
        }
      }
    }
    return undefined
  }

  #keyOf({ states, last }: Place): number {
    const count = this.#automaton.states.length
    return states.reduce((key, state) => key * count + state, last)
  }

  /** Returns the states after the next character from which `goal` can be reached. */
  #followTowards(state: number, last: number, next: number, goal: number): number[] {
    const key = (state * this.#classes.length + last) * this.#classes.length + next
    let targets = this.#followed.get(key)
    if (!targets) {
      targets = this.#follow(this.#automaton.steps[state] ?? [], last, next)
      this.#followed.set(key, targets)
    }
    return targets.filter((target) => target === goal || this.#reach[target]?.has(goal))
  }

  /** Adds a beginning that leads to the repeated word, and an end after which nothing matches. */
  #complete(from: number, to: number, last: number, pump: readonly number[]): Attack | undefined {
    const prefix = this.#findPrefix(from, last)
    if (prefix === undefined) return undefined
    const ends = [[], ...this.#classes.map((index) => [index])]
    const endings = [...ends, ...this.#classes.flatMap((index) => ends.map((end) => [index, ...end]))]
    const pumped = Array.from({ length: maxDistance }, () => pump).flat()
    const suffix = endings.find((end) => !this.#matches(to, last, [...pumped, ...end]))
    if (!suffix) return undefined
    const write = (indexes: readonly number[]) =>
      indexes.map((index) => this.#automaton.characters[index]).join('')
    return { prefix: write(prefix), pump: write(pump), suffix: write(suffix) }
  }

  #findPrefix(goal: number, last: number): number[] | undefined {
    const found = new Map<string, number[]>()
    const waiting: { steps: readonly Step[]; before: number | undefined; word: number[] }[] = [
      { steps: this.#automaton.firstSteps, before: undefined, word: [] },
    ]
    for (const { steps, before, word } of waiting) {
      for (const next of this.#classes) {
        for (const target of this.#follow(steps, before, next)) {
          const longer = [...word, next]
          if (target === goal && next === last) return longer
          const key = `${target},${next}`
          if (found.has(key)) continue
          found.set(key, longer)
          waiting.push({ steps: this.#automaton.steps[target] ?? [], before: next, word: longer })
        }
      }
    }
    return undefined
  }

  /** Returns whether there is a match of the text that follows a state, at the latest at its end. */
  #matches(state: number, last: number, text: readonly number[]): boolean {
    let states = new Set([state])
    let before = last
    for (const next of [...text, undefined]) {
      const after = new Set<number>()
      for (const state of states) {
        for (const step of this.#automaton.steps[state] ?? []) {
          if (step.mayFail || !isOpen(step, before, next)) continue
          if (step.target === undefined) return true
          if (next !== undefined && this.#consumes(step.target, next)) after.add(step.target)
        }
      }
      states = after
      before = next ?? before
    }
    return false
  }
}

/** Returns whether a step is possible between two characters; undefined stands for the ends of the text. */
function isOpen(step: Step, last: number | undefined, next: number | undefined): boolean {
  const has = (classes: bigint, index: number) => ((classes >> BigInt(index)) & 1n) === 1n
  const isBeforeOk = last === undefined ? step.mayStart : has(step.before, last)
  return isBeforeOk && (next === undefined ? step.mayEnd : has(step.after, next))
}
