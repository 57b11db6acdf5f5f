import { z } from 'zod'

export interface Branches {
  has(branch: string): boolean
}

const everyBranch: Branches = { has: () => true }

/** The URL parameter `branches=main,release`: only pushes to these branches are posted. */
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

/** A URL parameter that is `true` or `false`. If it is absent, `defaultValue` applies. */
export const flag = (defaultValue: boolean) =>
  z
    .enum(['true', 'false'])
    .optional()
    .transform((value) => (value === undefined ? defaultValue : value === 'true'))
