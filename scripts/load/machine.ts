import { readFileSync } from 'node:fs'
import { round } from './statistics.ts'

/** Influences of other programs on a run. */
export interface Noise {
  /** Load average over one minute, before and after. */
  load: [before: number, after: number]
  /** Share of the time that the hypervisor gave to other machines. */
  steal: number
  /** Milliseconds of a fixed calculation, before and after. */
  calibrationMs: [before: number, after: number]
  isNoisy: boolean
}

const calibrationRounds = 5
const calibrationSteps = 20_000_000
/** A run is noisy if the calibrations differ by more. */
const maxDifference = 0.1

/** Returns the milliseconds that a fixed calculation takes, the best of some rounds. */
function calibrate(): number {
  const times = Array.from({ length: calibrationRounds }, () => {
    const start = performance.now()
    let state = 1
    for (let step = 0; step < calibrationSteps; step++) state = (Math.imul(state, 1_664_525) + step) | 0
    return state === 0 ? Number.POSITIVE_INFINITY : performance.now() - start
  })
  return round(Math.min(...times))
}

const readLoad = (): number => Number(readFileSync('/proc/loadavg', 'utf8').split(' ')[0])

function readTicks(): { all: number; steal: number } {
  const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const ticks = first.trim().split(/\s+/).slice(1, 9).map(Number)
  return { all: ticks.reduce((sum, each) => sum + each, 0), steal: ticks[7] ?? 0 }
}

/** Begins to watch the machine. The returned function ends that. */
export function startNoiseWatch(): () => Noise {
  const before = { load: readLoad(), ticks: readTicks(), calibration: calibrate() }
  return () => {
    const ticks = readTicks()
    const calibration = calibrate()
    return {
      load: [before.load, readLoad()],
      steal: round((ticks.steal - before.ticks.steal) / Math.max(1, ticks.all - before.ticks.all), 4),
      calibrationMs: [before.calibration, calibration],
      isNoisy: Math.abs(calibration / before.calibration - 1) > maxDifference,
    }
  }
}
