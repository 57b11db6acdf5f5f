import type { GeneratorReport } from './generator.ts'
import type { PhaseReport } from './recorder.ts'
import type { Scenario } from './scenario.ts'
import { round } from './statistics.ts'

export interface JudgedLimit {
  name: string
  limit: number
  measured: number
  isKept: boolean
}

/** A generator that is busier, or whose event loop is later, measures itself. */
const maxGeneratorCores = 0.7
const maxGeneratorDelayMs = 20

/** Compares a run with the limits of its scenario. Latencies count only in the phases that are judged. */
export function judgeLimits({ limits }: Scenario, report: GeneratorReport): JudgedLimit[] {
  const judged = report.phases.filter(({ isJudged }) => isJudged)
  const largest = (of: (phase: PhaseReport) => number | undefined) =>
    Math.max(0, ...judged.map((phase) => of(phase) ?? 0))
  const sum = (of: (phase: PhaseReport) => number) =>
    report.phases.reduce((total, phase) => total + of(phase), 0)
  const { verdict, faults } = report
  return [
    atMost(
      'lag, p99, ms',
      limits.lagP99Ms,
      largest(({ lag }) => lag.p99),
    ),
    atMost(
      'page, p99, ms',
      limits.pageP99Ms,
      largest(({ kinds }) => kinds.page?.p99),
    ),
    atMost(
      'send, p99, ms',
      limits.sendP99Ms,
      largest(({ kinds }) => kinds.send?.p99),
    ),
    atMost(
      'share of failed requests',
      limits.errorShare,
      sum(({ errors }) => errors) /
        Math.max(
          1,
          sum(({ requests }) => requests),
        ),
    ),
    atMost('messages lost', 0, verdict.lost),
    atMost('messages received twice', 0, verdict.twice),
    atMost('messages out of order', 0, verdict.outOfOrder),
    atMost('messages for other people', 0, verdict.unexpected),
    atMost('events out of order', 0, faults.order),
    atMost('queues that ended', 0, faults.dead),
  ]
}

/** Whether the generator was fast enough for its times to be the server's. */
export const isGeneratorValid = ({ generator }: GeneratorReport): boolean =>
  generator.cores <= maxGeneratorCores && generator.delayP99Ms <= maxGeneratorDelayMs

const atMost = (name: string, limit: number, measured: number): JudgedLimit => ({
  name,
  limit,
  measured: round(measured, 5),
  isKept: measured <= limit,
})
