import { join } from 'node:path'

/** `oxbow` as it is installed. */
const installed = join(import.meta.dirname, '..', '..', '..', 'apps', 'cli', 'bin', 'oxbow.js')

/**
 * Returns the file that starts `oxbow`, to be run by Node: the bundle that the test run has made, or `oxbow` as it is
 * installed where there is none. Tests of the start itself and of memory use the installed one.
 */
export const oxbowProgram = (): string => process.env.OXBOW_TEST_PROGRAM ?? installed

/** Loaded by `node --import` into a node that drops hints; it must share modules with the program. */
export const faultInjector = (): string =>
  process.env.OXBOW_TEST_PROGRAM
    ? join(process.env.OXBOW_TEST_PROGRAM, '..', 'inject-faults.mjs')
    : join(import.meta.dirname, 'inject-faults.ts')
