import { join } from 'node:path'

/** The program that a package manager installs as `oxbow`. */
const installed = join(import.meta.dirname, '..', '..', '..', 'apps', 'cli', 'bin', 'oxbow.js')

/**
 * Returns the file that starts `oxbow`, to be run by Node: the bundle that the test run built, or
 * the installed program if there is no bundle. Tests of the start itself and of memory use the
 * installed program.
 */
export const oxbowProgram = (): string => process.env.OXBOW_TEST_PROGRAM ?? installed

/**
 * Returns the module that `node --import` loads into a node that drops hints. It must share its
 * modules with the program.
 */
export const faultInjector = (): string =>
  process.env.OXBOW_TEST_PROGRAM
    ? join(process.env.OXBOW_TEST_PROGRAM, '..', 'inject-faults.mjs')
    : join(import.meta.dirname, 'inject-faults.ts')
