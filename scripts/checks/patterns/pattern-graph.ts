import {
  type Assertion,
  CharBase,
  CharSet,
  type Concatenation,
  type Element,
  JS,
  type NoParent,
  type Quantifier,
} from 'refa'

export interface Pattern {
  source: string
  flags: string
}

/** Sets of characters are bit sets over classes of characters that the pattern does not distinguish. */
export type Classes = bigint

interface Node {
  /** The classes that it consumes. Undefined in nodes that only connect. */
  consumes?: Classes
  /** The nodes after it, first the one that is tried first. */
  next: number[]
  condition?: { isBefore: boolean; classes: Classes; mayBeNone: boolean }
  /** The last of the following nodes that are repeated by this one. */
  lastInside?: number
  /** Whether a match can fail here although the graph goes on: at assertions and references. */
  mayFail?: boolean
  /** Whether the pattern has matched here, or only the text of an assertion. */
  ends?: 'pattern' | 'assertion'
}

/** The parts of a pattern and the order in which a matcher tries them. */
export interface Graph {
  nodes: readonly Node[]
  start: number
  classes: readonly CharSet[]
  /** All classes. */
  any: Classes
  /** Whether the graph is that of a lookbehind, which is matched from the end to the beginning. */
  isBackward: boolean
}

type Alternatives = readonly NoParent<Concatenation>[]
type Part = NoParent<Element>

/** Further mandatory or optional repetitions are left out, because they are ambiguous like the first ones. */
const maxCopies = 2
/** Mandatory repetitions of one character are all kept, so that the attack has as many of them. */
const maxCopiesOfCharacter = 100
/** Repetitions limited to more than this are as slow as unlimited ones. */
const maxHarmlessRepetitions = 1_000
/** Limited repetitions of limited repetitions, like (a{1,9}b?){9}, are as slow as unlimited ones if they have more ways. */
const maxHarmlessWays = 10_000
const maxParsedNodes = 50_000
const maxNodes = 8_000

/** Thrown for patterns with so many parts that a check would take too long. */
export class PatternTooComplex extends Error {}

/**
 * Returns the graph of a pattern, and one for each lookbehind in it. The matcher moves on by a node
 * that consumes any character, which is part of the graph.
 */
export function buildGraphs({ source, flags }: Pattern): Graph[] {
  const parser = JS.Parser.fromLiteral({ source, flags })
  const { expression } = parser.parse({
    backreferences: 'unknown',
    simplify: false,
    maxNodes: maxParsedNodes,
  })
  // The parser says 0xffff for the flag v, but its sets are those of Unicode.
  const all = CharSet.all(/[uv]/.test(flags) ? 0x10ffff : 0xffff)
  const base = new CharBase([all, ...listSets(expression.alternatives)])
  return [
    new Builder(base, all, false).build(expression.alternatives, flags),
    ...listLookbehinds(expression.alternatives).map((alternatives) =>
      new Builder(base, all, true).build(alternatives, ''),
    ),
  ]
}

const elementsOf = (alternatives: Alternatives): readonly Part[] =>
  alternatives.flatMap(({ elements }) => elements)

function listSets(alternatives: Alternatives): CharSet[] {
  return elementsOf(alternatives).flatMap((element) => {
    if (element.type === 'CharacterClass') return [element.characters]
    return element.type === 'Unknown' ? [] : listSets(element.alternatives)
  })
}

function listLookbehinds(alternatives: Alternatives): Alternatives[] {
  return elementsOf(alternatives).flatMap((element) => {
    if (element.type === 'CharacterClass' || element.type === 'Unknown') return []
    const inner = listLookbehinds(element.alternatives)
    const isLong =
      element.type === 'Assertion' && element.kind === 'behind' && !asOneCharacter(element.alternatives)
    return isLong ? [element.alternatives, ...inner] : inner
  })
}

/** Returns the sets of the alternatives if each is one character. */
function asOneCharacter(alternatives: Alternatives): CharSet[] | undefined {
  const sets: CharSet[] = []
  for (const { elements } of alternatives) {
    const [element] = elements
    if (elements.length !== 1 || !element) return undefined
    if (element.type === 'CharacterClass') sets.push(element.characters)
    else if (element.type === 'Alternation') {
      const inner = asOneCharacter(element.alternatives)
      if (!inner) return undefined
      sets.push(...inner)
    } else return undefined
  }
  return sets
}

/** Returns how many different numbers of repetitions the quantifiers of an alternative allow together. */
function countLengths(alternatives: Alternatives): number {
  const counts = alternatives.map(({ elements }) =>
    elements.reduce((count, element) => {
      if (element.type === 'CharacterClass' || element.type === 'Unknown') return count
      const own = element.type === 'Quantifier' ? element.max - element.min + 1 : 1
      return count * own * countLengths(element.alternatives)
    }, 1),
  )
  return Math.max(1, ...counts)
}

class Builder {
  #nodes: Node[] = []
  #base: CharBase
  #any: Classes
  #isBackward: boolean

  constructor(base: CharBase, all: CharSet, isBackward: boolean) {
    this.#base = base
    this.#any = this.#classesOf([all])
    this.#isBackward = isBackward
  }

  build(alternatives: Alternatives, flags: string): Graph {
    const end = this.#add({ next: [], ends: this.#isBackward ? 'assertion' : 'pattern' })
    const first = this.#addAlternatives(alternatives, end)
    const skip = this.#add({ consumes: this.#any, next: [] })
    // The matcher begins at a later character after all that begin earlier have failed, and with the flag g
    // also after a match.
    const starts = flags.includes('g') ? [skip, first] : [first, skip]
    this.#nodes[skip]?.next.push(...starts)
    const start = this.#add({ next: flags.includes('y') ? [first] : starts })
    const { sets } = this.#base
    return { nodes: this.#nodes, start, classes: sets, any: this.#any, isBackward: this.#isBackward }
  }

  #classesOf(sets: readonly CharSet[]): Classes {
    return sets
      .flatMap((set) => [...this.#base.split(set)])
      .reduce((classes, index) => classes | (1n << BigInt(index)), 0n)
  }

  #add(node: Node): number {
    if (this.#nodes.length > maxNodes) throw new PatternTooComplex()
    return this.#nodes.push(node) - 1
  }

  #addAlternatives(alternatives: Alternatives, end: number): number {
    const [only, ...more] = alternatives
    if (only && more.length === 0) return this.#addElements(only.elements, end)
    return this.#add({ next: alternatives.map(({ elements }) => this.#addElements(elements, end)) })
  }

  #addElements(elements: readonly Part[], end: number): number {
    const ordered = this.#isBackward ? elements : elements.toReversed()
    return ordered.reduce((next, element) => this.#addElement(element, next), end)
  }

  #addElement(element: Part, end: number): number {
    if (element.type === 'CharacterClass')
      return this.#add({ consumes: this.#classesOf([element.characters]), next: [end] })
    if (element.type === 'Alternation') return this.#addAlternatives(element.alternatives, end)
    if (element.type === 'Quantifier') return this.#addQuantifier(element, end)
    if (element.type === 'Assertion') return this.#addAssertion(element, end)
    // A reference may be to an empty text, or to one that does not follow.
    return this.#add({ next: [end], mayFail: true })
  }

  #addAssertion({ kind, negate, alternatives }: NoParent<Assertion>, end: number): number {
    const isBefore = (kind === 'behind') !== this.#isBackward
    const sets = asOneCharacter(alternatives)
    if (sets) {
      const classes = this.#classesOf(sets)
      const condition = { isBefore, classes: negate ? this.#any & ~classes : classes, mayBeNone: negate }
      return this.#add({ condition, next: [end] })
    }
    // Negative assertions are assumed to hold somewhere, because otherwise nearly every use would be reported.
    const after = negate ? end : this.#add({ next: [end], mayFail: true })
    if (isBefore || this.#isBackward) return after
    const inner = this.#addAlternatives(alternatives, this.#add({ next: [], ends: 'assertion' }))
    return this.#add({ next: [inner, after] })
  }

  #addQuantifier({ alternatives, min, max, lazy }: NoParent<Quantifier>, end: number): number {
    const fork = (body: number, after: number) => (lazy ? [after, body] : [body, after])
    const isCharacter = asOneCharacter(alternatives) !== undefined
    const required = Math.min(min, isCharacter ? maxCopiesOfCharacter : maxCopies)
    let next = end
    const hasManyWays = max > maxCopies && countLengths(alternatives) ** max > maxHarmlessWays
    if (max > maxHarmlessRepetitions || hasManyWays) {
      const loop = this.#add({ next: [] })
      const body = this.#addAlternatives(alternatives, loop)
      Object.assign(this.#nodes[loop] as Node, { next: fork(body, end), lastInside: this.#nodes.length - 1 })
      next = loop
    } else {
      for (let copy = Math.min(max - min, maxCopies); copy > 0; copy--)
        next = this.#add({ next: fork(this.#addAlternatives(alternatives, next), end) })
    }
    for (let copy = required; copy > 0; copy--) next = this.#addAlternatives(alternatives, next)
    return next
  }
}
