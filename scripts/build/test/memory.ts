import { readFileSync } from 'node:fs'

/** Returns the proportional set size of a process in bytes: memory shared with others counts by its share. */
export function readPss(pid: number): number {
  const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
