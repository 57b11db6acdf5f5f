import { join } from 'node:path'

/** The program that a package manager installs as `oxbow`. */
const installed = join(import.meta.dirname, '..', '..', '..', 'apps', 'cli', 'bin', 'oxbow.js')

/**
 * Returns the file that starts `oxbow`, to be run by Node: the bundle that the test run has made, or `oxbow` as it is
 * installed where there is none. Tests of the start itself and of memory use the installed one.
 */
export const oxbowProgram = (): string => process.env.OXBOW_TEST_PROGRAM ?? installed

/** Returns the module that `node --import` loads into a node that drops hints; it shares modules with the program. */
export const faultInjector = (): string =>
  process.env.OXBOW_TEST_PROGRAM
    ? join(process.env.OXBOW_TEST_PROGRAM, '..', 'inject-faults.mjs')
    : join(import.meta.dirname, 'inject-faults.ts')
