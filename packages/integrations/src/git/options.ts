import { z } from 'zod'

export interface Branches {
  has(branch: string): boolean
}

const everyBranch: Branches = { has: () => true }

/** Reads `branches=main,release` from the URL: only pushes to these branches are posted. */
export const branches = z
  .string()
  .optional()
  .transform((value): Branches => {
    const names = (value ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
    return names.length === 0 ? everyBranch : new Set(names)
  })

/** Reads a URL parameter that is `true` or `false`. An absent one means `defaultValue`. */
export const flag = (defaultValue: boolean) =>
  z
    .enum(['true', 'false'])
    .optional()
    .transform((value) => (value === undefined ? defaultValue : value === 'true'))
