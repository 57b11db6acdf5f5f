import { print } from '../bench/figures.ts'
import { printRun } from './print-run.ts'
import { type Run, type RunOptions, runScenario } from './run.ts'
import type { Scenario } from './scenario.ts'
import { round } from './statistics.ts'

/** Processors in use while limits applied. */
export interface Rung {
  people: number
  node: number
  postgres: number
  lagP99: number
  deliveriesPerSend: number
}

/** Plays the scenario at several sizes, and prints how the costs grow. */
export async function runLadder(
  sizes: readonly number[],
  make: (people: number) => Scenario,
  options: RunOptions,
): Promise<Run[]> {
  const runs: Run[] = []
  for (const people of sizes) {
    const run = await runScenario(make(people), options)
    printRun(run)
    runs.push(run)
  }
  for (const line of describeLadder(runs.map(toRung))) print(line)
  return runs
}

export function toRung({ scenario, report, costs }: Run): Rung {
  const judged = report.phases.filter(({ isJudged }) => isJudged)
  const last = judged.at(-1)
  const cost = costs.find(({ phase }) => phase === last?.phase)
  return {
    people: scenario.people,
    node: cost?.node ?? 0,
    postgres: cost?.postgres ?? 0,
    lagP99: last?.lag.p99 ?? 0,
    deliveriesPerSend: round((last?.lag.count ?? 0) / Math.max(1, last?.sends ?? 0)),
  }
}

/** Returns a table of the sizes, with what the smaller ones predict for the largest. */
export function describeLadder(rungs: readonly Rung[]): string[] {
  const lines = rungs.map(
    ({ people, node, postgres, lagP99, deliveriesPerSend }) =>
      `${people} people: node ${node}, PostgreSQL ${postgres} processors; for each 1,000 people ` +
      `${round((node / people) * 1000, 3)} and ${round((postgres / people) * 1000, 3)}; ` +
      `lag p99 ${lagP99} ms; ${deliveriesPerSend} deliveries for a send`,
  )
  const [before, last, largest] = rungs.slice(-3)
  if (!before || !last || !largest) return lines
  const predict = (of: (rung: Rung) => number) =>
    of(last) + ((of(last) - of(before)) / (last.people - before.people)) * (largest.people - last.people)
  const compared = (name: string, of: (rung: Rung) => number) =>
    `${name} ${round(predict(of), 2)} predicted, ${of(largest)} measured`
  return [
    ...lines,
    `${largest.people} people from the two sizes before: ` +
      `${compared('node', ({ node }) => node)}; ${compared('PostgreSQL', ({ postgres }) => postgres)}`,
  ]
}
