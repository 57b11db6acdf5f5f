import type { CharSet } from 'refa'
import { buildGraphs, type Classes, type Graph, type Pattern, PatternTooComplex } from './pattern-graph.ts'

/** A way from one character to the next that consumes nothing, with what must stand around it. */
export interface Step extends Surroundings {
  /** The state that consumes the next character. Undefined where the pattern has matched. */
  target: number | undefined
}

interface Surroundings {
  before: Classes
  after: Classes
  /** Whether the text may begin here. */
  mayStart: boolean
  mayEnd: boolean
  /** Whether an assertion of several characters, or a reference, may prevent the step. */
  mayFail: boolean
}

type Path = Surroundings & { node: number }

export interface Automaton {
  /** The classes that each state consumes. */
  states: Classes[]
  /** The steps from each state, in the order in which a matcher tries them. */
  steps: Step[][]
  firstSteps: Step[]
  /** One readable character of each class. */
  characters: string[]
  /** Whether this is a lookbehind, which is matched from the end to the beginning. */
  isBackward: boolean
}

const maxStates = 2_000
const maxPaths = 20_000

/** Returns the automaton of a pattern, and one for each lookbehind in it. */
export const buildAutomata = (pattern: Pattern): Automaton[] => buildGraphs(pattern).map(toAutomaton)

/**
 * Splits each consuming node into one state for each way to reach it from the same node, because
 * a matcher tries the ways separately.
 */
function toAutomaton(graph: Graph): Automaton {
  const states: Classes[] = []
  const steps: Step[][] = []
  const ids = new Map<string, number>()
  const waiting: { node: number; state: number }[] = []
  const stepsFrom = (starts: readonly number[]): Step[] => {
    const ways = new Map<number, number>()
    return findPaths(graph, starts).map(({ node, ...step }) => {
      const consumes = graph.nodes[node]?.consumes
      if (consumes === undefined) return { ...step, target: undefined }
      const way = ways.get(node) ?? 0
      ways.set(node, way + 1)
      const key = `${node} ${way}`
      let state = ids.get(key)
      if (state === undefined) {
        state = states.push(consumes) - 1
        if (state > maxStates) throw new PatternTooComplex()
        ids.set(key, state)
        waiting.push({ node, state })
      }
      return { ...step, target: state }
    })
  }
  const firstSteps = stepsFrom([graph.start])
  for (let work = waiting.pop(); work; work = waiting.pop())
    steps[work.state] = stepsFrom(graph.nodes[work.node]?.next ?? [])
  const characters = graph.classes.map(pickCharacter)
  return { states, steps, firstSteps, characters, isBackward: graph.isBackward }
}

function findPaths({ nodes, any }: Graph, starts: readonly number[]): Path[] {
  const found: Path[] = []
  const visit = (index: number, path: Surroundings, visited: ReadonlySet<number>): void => {
    const node = nodes[index]
    if (!node || visited.has(index)) return
    if (found.length > maxPaths) throw new PatternTooComplex()
    if (node.consumes !== undefined || node.ends) {
      // A match ends the search only if it is certain. The match of an assertion does not end it.
      if (!node.ends || (node.ends === 'pattern' && !path.mayFail)) found.push({ node: index, ...path })
      return
    }
    const { condition } = node
    const further = { ...path, mayFail: path.mayFail || node.mayFail === true }
    if (condition?.isBefore) {
      further.before &= condition.classes
      further.mayStart &&= condition.mayBeNone
      if (further.before === 0n && !further.mayStart) return
    } else if (condition) {
      further.after &= condition.classes
      further.mayEnd &&= condition.mayBeNone
      if (further.after === 0n && !further.mayEnd) return
    }
    // A repetition may not be empty, but the repetitions inside it begin again.
    const isInside = (other: number) => other > index && other <= (node.lastInside ?? index)
    const passed = new Set([...visited, index].filter((other) => !isInside(other)))
    for (const next of node.next) visit(next, further, passed)
  }
  const free = { before: any, after: any, mayStart: true, mayEnd: true, mayFail: false }
  for (const index of starts) visit(index, free, new Set())
  return found
}

const readable = ['a', '0', ' ', '-', '_', 'A', '<', '"', '/', '!', '#', 'é', 'あ', '\n', '\t']

function pickCharacter(set: CharSet): string {
  const known = readable.find((character) => set.has(character.codePointAt(0) ?? 0))
  if (known !== undefined) return known
  const visible = set.ranges.find(({ max }) => max > 32)
  const code = visible ? Math.max(visible.min, 33) : (set.ranges[0]?.min ?? 0)
  return String.fromCodePoint(code)
}
