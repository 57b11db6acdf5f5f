import { anyButNewline, type CharacterSet, shorthand, single, union } from './character-set.ts'

export type PatternNode =
  | { kind: 'set'; set: CharacterSet }
  | { kind: 'sequence'; items: PatternNode[] }
  | { kind: 'choice'; options: PatternNode[] }
  | { kind: 'repeat'; item: PatternNode; min: number; max: number; greedy: boolean }
  | { kind: 'capture'; name: string; item: PatternNode }

export class PatternError extends Error {}

const maxNesting = 20
const maxRepeats = 100

/**
 * Parses the supported regular-expression syntax: literals, `.`, classes, `\d \w \s`, groups,
 * alternatives and quantifiers. Refuses syntax that cannot be matched in linear time or is not
 * needed: back references, lookaround, anchors and flags.
 */
export function parsePattern(source: string): PatternNode {
  const parser = new PatternParser(Array.from(source))
  const node = parser.readChoice(0)
  if (!parser.atEnd()) throw new PatternError('unbalanced parenthesis')
  return node
}

/** Returns characters that every matching text contains. */
export function listRequiredCharacters(node: PatternNode): Set<string> {
  switch (node.kind) {
    case 'set': {
      const point = pointOf(node.set)
      return new Set(point === undefined ? [] : [String.fromCodePoint(point)])
    }
    case 'sequence':
      return new Set(node.items.flatMap((item) => [...listRequiredCharacters(item)]))
    case 'choice':
      return node.options
        .map(listRequiredCharacters)
        .reduce((common, characters) => common.intersection(characters))
    case 'repeat':
      return node.min > 0 ? listRequiredCharacters(node.item) : new Set()
    case 'capture':
      return listRequiredCharacters(node.item)
  }
}

class PatternParser {
  private position = 0
  private readonly names = new Set<string>()
  private readonly characters: readonly string[]

  constructor(characters: readonly string[]) {
    this.characters = characters
  }

  atEnd(): boolean {
    return this.position >= this.characters.length
  }

  readChoice(depth: number): PatternNode {
    if (depth > maxNesting) throw new PatternError('nested too deeply')
    const options = [this.readSequence(depth)]
    while (this.accept('|')) options.push(this.readSequence(depth))
    return options.length === 1 && options[0] ? options[0] : { kind: 'choice', options }
  }

  private readSequence(depth: number): PatternNode {
    const items: PatternNode[] = []
    while (!this.atEnd() && this.peek() !== '|' && this.peek() !== ')') items.push(this.readRepeated(depth))
    return { kind: 'sequence', items }
  }

  private readRepeated(depth: number): PatternNode {
    const item = this.readAtom(depth)
    const bounds = this.readQuantifier()
    if (!bounds) return item
    const greedy = !this.accept('?')
    if (this.readQuantifier()) throw new PatternError('multiple repeat')
    return { kind: 'repeat', item, ...bounds, greedy }
  }

  private readQuantifier(): { min: number; max: number } | undefined {
    if (this.accept('*')) return { min: 0, max: Infinity }
    if (this.accept('+')) return { min: 1, max: Infinity }
    if (this.accept('?')) return { min: 0, max: 1 }
    if (this.peek() !== '{') return undefined
    const text = this.characters.slice(this.position, this.position + 9).join('')
    const match = /^\{(\d{0,3})(?:(,)(\d{0,3}))?\}/.exec(text)
    // Braces that are not a quantifier are refused, because they are more often a typing error than
    // meant literally.
    if (!match) throw new PatternError('bad repeat')
    this.position += match[0].length
    const [, first = '', comma, second = ''] = match
    const min = Number(first)
    const max = comma === undefined ? min : second === '' ? Infinity : Number(second)
    if ((first === '' && second === '') || min > max) throw new PatternError('bad repeat')
    if (min > maxRepeats || (max !== Infinity && max > maxRepeats))
      throw new PatternError('repeats too often')
    return { min, max }
  }

  private readAtom(depth: number): PatternNode {
    const character = this.take()
    switch (character) {
      case '(':
        return this.readGroup(depth)
      case '[':
        return { kind: 'set', set: this.readClass() }
      case '.':
        return { kind: 'set', set: anyButNewline }
      case '\\':
        return { kind: 'set', set: this.readEscape() }
      case '*':
      case '+':
      case '?':
      case '{':
        throw new PatternError('nothing to repeat')
      case '^':
      case '$':
        throw new PatternError('anchors are not supported')
      default:
        return { kind: 'set', set: single(character.codePointAt(0) ?? 0) }
    }
  }

  private readGroup(depth: number): PatternNode {
    let name: string | undefined
    if (this.accept('?')) {
      if (this.accept('P')) {
        if (!this.accept('<')) throw new PatternError('back references are not supported')
        name = this.readName()
      } else if (!this.accept(':')) {
        throw new PatternError('this kind of group is not supported')
      }
    }
    const item = this.readChoice(depth + 1)
    if (!this.accept(')')) throw new PatternError('missing )')
    return name === undefined ? item : { kind: 'capture', name, item }
  }

  private readName(): string {
    let name = ''
    while (!this.accept('>')) name += this.take()
    if (!/^[A-Za-z_]\w*$/.test(name)) throw new PatternError('bad group name')
    if (this.names.has(name)) throw new PatternError('group name used twice')
    this.names.add(name)
    return name
  }

  private readClass(): CharacterSet {
    const negated = this.accept('^')
    const sets: CharacterSet[] = []
    for (let first = true; first || this.peek() !== ']'; first = false) {
      const from = this.readClassItem()
      const rangeFollows = this.peek() === '-' && this.peek(1) !== ']' && this.peek(1) !== undefined
      if (!rangeFollows) {
        sets.push(from)
        continue
      }
      this.take()
      const to = this.readClassItem()
      const [low, high] = [pointOf(from), pointOf(to)]
      if (low === undefined || high === undefined || low > high) throw new PatternError('bad range')
      sets.push({ ranges: [[low, high]], negated: false })
    }
    this.take()
    return union(sets, negated)
  }

  private readClassItem(): CharacterSet {
    const character = this.take()
    return character === '\\' ? this.readEscape() : single(character.codePointAt(0) ?? 0)
  }

  private readEscape(): CharacterSet {
    const character = this.take()
    const set = shorthand(character)
    if (set) return set
    if (character === 'n') return single(10)
    if (character === 't') return single(9)
    if (/[A-Za-z0-9]/.test(character)) throw new PatternError('this escape is not supported')
    return single(character.codePointAt(0) ?? 0)
  }

  private peek(ahead = 0): string | undefined {
    return this.characters[this.position + ahead]
  }

  private accept(character: string): boolean {
    if (this.peek() !== character) return false
    this.position++
    return true
  }

  private take(): string {
    const character = this.peek()
    if (character === undefined) throw new PatternError('ends too soon')
    this.position++
    return character
  }
}

function pointOf({ ranges, negated }: CharacterSet): number | undefined {
  const [range] = ranges
  return !negated && ranges.length === 1 && range && range[0] === range[1] ? range[0] : undefined
}
