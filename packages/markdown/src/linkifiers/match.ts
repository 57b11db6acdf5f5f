import { isWordCharacter } from '../inline/boundary.ts'
import type { LinkifierBudget } from '../inline/rule.ts'
import { contains } from './character-set.ts'
import type { CompiledLinkifier } from './compile.ts'
import { nextRound, type Program } from './program.ts'

export type LinkifierMatch = { start: number; end: number; groups: ReadonlyMap<string, string> }

/** The positions that a thread saved, newest first. Threads share these lists, so they are never modified. */
type Saved = { slot: number; at: number; before: Saved | undefined }
type Thread = { pc: number; saved: Saved | undefined }

/**
 * Maximum number of steps that all linkifiers together take in one message. The rest of the message is not
 * linkified.
 */
export const linkifierStepsPerMessage = 100_000

/**
 * Matches a linkifier at one position. It follows all alternatives of the pattern in parallel, so
 * that each position of the text is examined once, and prefers the match that a backtracking engine
 * would find. A match must not be followed by a word character.
 */
export function matchLinkifierAt(
  linkifier: CompiledLinkifier,
  text: string,
  start: number,
  budget: LinkifierBudget,
): LinkifierMatch | undefined {
  const { program } = linkifier
  if (!canBeginAt(linkifier, text, start) || budget.linkifierSteps <= 0) return undefined
  const { marks } = program
  let threads: Thread[] = []
  let end = -1
  let best: Saved | undefined
  addThread(program, threads, marks, nextRound(program), { pc: 0, saved: undefined }, start, budget)
  for (let at = start; threads.length > 0; ) {
    const point = text.codePointAt(at)
    const next = point === undefined ? at : at + (point > 0xffff ? 2 : 1)
    const following: Thread[] = []
    const round = nextRound(program)
    for (const thread of threads) {
      const instruction = program.instructions[thread.pc]
      budget.linkifierSteps--
      if (instruction?.op === 'accept') {
        if (point !== undefined && isWordCharacter(String.fromCodePoint(point))) continue
        end = at
        best = thread.saved
        // The remaining threads are less preferred than this match.
        break
      }
      if (instruction?.op === 'set' && point !== undefined && contains(instruction.set, point)) {
        addThread(program, following, marks, round, { pc: thread.pc + 1, saved: thread.saved }, next, budget)
      }
    }
    if (budget.linkifierSteps <= 0) return undefined
    threads = following
    if (point === undefined) break
    at = next
  }
  return end === -1 ? undefined : { start, end, groups: readGroups(program, best, text) }
}

/** Checks the first characters against those that a match can begin with, before allocating memory. */
function canBeginAt({ beginning }: CompiledLinkifier, text: string, start: number): boolean {
  if (start + beginning.length > text.length) return false
  for (let at = 0; at < beginning.length; at++) {
    const allowed = beginning[at]?.[text.charCodeAt(start + at)]
    // The tables have ASCII characters only, and other characters may take two code units.
    if (allowed === undefined) return true
    if (allowed === 0) return false
  }
  return true
}

function addThread(
  program: Program,
  threads: Thread[],
  marks: Uint32Array,
  round: number,
  first: Thread,
  at: number,
  budget: LinkifierBudget,
): void {
  const stack: Thread[] = [first]
  for (let thread = stack.pop(); thread; thread = stack.pop()) {
    const { pc, saved } = thread
    if (marks[pc] === round) continue
    marks[pc] = round
    budget.linkifierSteps--
    const instruction = program.instructions[pc]
    switch (instruction?.op) {
      case 'jump':
        stack.push({ pc: instruction.to, saved })
        break
      case 'split':
        stack.push({ pc: instruction.second, saved }, { pc: instruction.first, saved })
        break
      case 'save':
        stack.push({ pc: pc + 1, saved: { slot: instruction.slot, at, before: saved } })
        break
      default:
        threads.push(thread)
    }
  }
}

function readGroups(program: Program, best: Saved | undefined, text: string): Map<string, string> {
  const slots = new Map<number, number>()
  for (let saved = best; saved; saved = saved.before) {
    if (!slots.has(saved.slot)) slots.set(saved.slot, saved.at)
  }
  const groups = new Map<string, string>()
  for (const [index, name] of program.names.entries()) {
    const from = slots.get(index * 2)
    const to = slots.get(index * 2 + 1)
    if (from !== undefined && to !== undefined) groups.set(name, text.slice(from, to))
  }
  return groups
}

/** Returns the URL of a match: the format of the linkifier with the matched groups. */
export function expandUrl({ urlFormat }: CompiledLinkifier, { groups }: LinkifierMatch): string {
  return urlFormat.replace(/%\(([A-Za-z0-9_-]+)\)s/g, (_whole, name: string) => groups.get(name) ?? '')
}
