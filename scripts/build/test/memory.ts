import { readFileSync } from 'node:fs'

/**
 * Returns the proportional set size of a process in bytes, in which memory shared by n processes
 * counts as 1/n.
 */
export function readPss(pid: number): number {
  const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
