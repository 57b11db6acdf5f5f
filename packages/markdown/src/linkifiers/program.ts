import { type CharacterSet, contains } from './character-set.ts'
import { PatternError, type PatternNode } from './pattern.ts'

type Instruction =
  | { op: 'set'; set: CharacterSet }
  /** Two alternatives, of which the first is preferred. */
  | { op: 'split'; first: number; second: number }
  | { op: 'jump'; to: number }
  | { op: 'save'; slot: number }
  | { op: 'accept' }

export type Program = {
  instructions: Instruction[]
  names: string[]
  /** Scratch memory: the round in which each instruction was last visited. */
  marks: Uint32Array
  round: number
}

const maxRound = 2 ** 32 - 1

/**
 * Starts a round in which no instruction was visited yet. Round numbers have 32 bits and start
 * again after the last one.
 */
export function nextRound(program: Program): number {
  if (program.round >= maxRound) {
    program.marks.fill(0)
    program.round = 0
  }
  return ++program.round
}

/** Limits the work of a match: each position of the text takes at most this many steps. */
const maxInstructions = 500

export function assemble(node: PatternNode): Program {
  const program: Program = { instructions: [], names: [], marks: new Uint32Array(maxInstructions), round: 0 }
  emit(program, node)
  add(program, { op: 'accept' })
  return program
}

function add({ instructions }: Program, instruction: Instruction): number {
  if (instructions.length >= maxInstructions) throw new PatternError('too long')
  return instructions.push(instruction) - 1
}

function emit(program: Program, node: PatternNode): void {
  switch (node.kind) {
    case 'set':
      add(program, { op: 'set', set: node.set })
      return
    case 'sequence':
      for (const item of node.items) emit(program, item)
      return
    case 'choice':
      emitChoice(program, node.options)
      return
    case 'repeat':
      emitRepeat(program, node)
      return
    case 'capture': {
      const slot = getSlot(program, node.name)
      add(program, { op: 'save', slot })
      emit(program, node.item)
      add(program, { op: 'save', slot: slot + 1 })
    }
  }
}

function emitChoice(program: Program, options: readonly PatternNode[]): void {
  const jumps: number[] = []
  for (const [index, option] of options.entries()) {
    if (index === options.length - 1) {
      emit(program, option)
      break
    }
    const split = add(program, { op: 'jump', to: 0 })
    emit(program, option)
    jumps.push(add(program, { op: 'jump', to: 0 }))
    program.instructions[split] = { op: 'split', first: split + 1, second: program.instructions.length }
  }
  for (const jump of jumps) program.instructions[jump] = { op: 'jump', to: program.instructions.length }
}

function emitRepeat(program: Program, { item, min, max, greedy }: PatternNode & { kind: 'repeat' }): void {
  for (let round = 0; round < min; round++) emit(program, item)
  if (max === Infinity) {
    const loop = add(program, { op: 'jump', to: 0 })
    emit(program, item)
    add(program, { op: 'jump', to: loop })
    program.instructions[loop] = splitTo(loop + 1, program.instructions.length, greedy)
    return
  }
  const exits: number[] = []
  for (let round = min; round < max; round++) {
    exits.push(add(program, { op: 'jump', to: 0 }))
    emit(program, item)
  }
  for (const exit of exits) {
    program.instructions[exit] = splitTo(exit + 1, program.instructions.length, greedy)
  }
}

function splitTo(inside: number, outside: number, greedy: boolean): Instruction {
  return greedy
    ? { op: 'split', first: inside, second: outside }
    : { op: 'split', first: outside, second: inside }
}

/**
 * Returns the slot of a named group. A repeated group is compiled more than once and shares a slot,
 * which keeps the last repetition.
 */
function getSlot({ names }: Program, name: string): number {
  const existingIndex = names.indexOf(name)
  return (existingIndex === -1 ? names.push(name) - 1 : existingIndex) * 2
}

/**
 * Returns the character sets that every match begins with, as tables of ASCII characters, up to the
 * first choice in the pattern. They exclude most positions of a text.
 */
export function listBeginningSets({ instructions }: Program): Uint8Array[] {
  const tables: Uint8Array[] = []
  for (let at = 0; ; ) {
    const instruction = instructions[at]
    if (instruction?.op === 'set') tables.push(buildAsciiTable(instruction.set))
    else if (instruction?.op !== 'save' && instruction?.op !== 'jump') return tables
    at = instruction.op === 'jump' ? instruction.to : at + 1
  }
}

function buildAsciiTable(set: CharacterSet): Uint8Array {
  const table = new Uint8Array(128)
  for (let point = 0; point < table.length; point++) if (contains(set, point)) table[point] = 1
  return table
}
