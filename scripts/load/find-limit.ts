import { print } from '../bench/figures.ts'
import { type Run, type RunOptions, runScenario } from './run.ts'
import type { Scenario } from './scenario.ts'

const growth = 1.4
/** The search ends when the two sizes differ by less. */
const precision = 0.12
const maxRuns = 10

/** Raises the number of people until a limit is exceeded, and then narrows the limit down. */
export async function findLimit(make: (people?: number) => Scenario, options: RunOptions): Promise<Run[]> {
  const runs: Run[] = []
  let kept = 0
  let exceeded = Number.POSITIVE_INFINITY
  let people = make().people
  while (runs.length < maxRuns && exceeded - kept > precision * kept) {
    const run = await runScenario(make(people), options)
    runs.push(run)
    const broken = run.limits.filter(({ isKept }) => !isKept)
    print(
      `${people} people: ${broken.map(({ name, measured, limit }) => `${name} ${measured}, at most ${limit}`).join('; ') || 'all limits kept'}` +
        `${run.isValid ? '' : '; the generator was too busy'}${run.noise.isNoisy ? '; the machine was noisy' : ''}`,
    )
    if (broken.length === 0) kept = people
    else exceeded = people
    people = nextSize(kept, exceeded)
  }
  print(`The limit is between ${kept} and ${exceeded} people.`)
  return runs
}

/** Grows until a limit is exceeded, shrinks while none is kept, and then halves the distance. */
export function nextSize(kept: number, exceeded: number): number {
  if (exceeded === Number.POSITIVE_INFINITY) return Math.round(kept * growth)
  return kept === 0 ? Math.round(exceeded / growth) : Math.round((kept + exceeded) / 2)
}
