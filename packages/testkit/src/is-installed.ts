import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Returns whether a folder of PATH has this program. */
export const isInstalled = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
