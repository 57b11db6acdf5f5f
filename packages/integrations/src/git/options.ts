import { z } from 'zod'

export interface Branches {
  has(branch: string): boolean
}

const everyBranch: Branches = { has: () => true }

/** `branches=main,release`: only pushes to these are told. */
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

/** `true` or `false` in the URL. */
export const flag = (unlessGiven: boolean) =>
  z
    .enum(['true', 'false'])
    .optional()
    .transform((value) => (value === undefined ? unlessGiven : value === 'true'))
