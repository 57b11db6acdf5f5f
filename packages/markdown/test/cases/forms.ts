import type { Case } from './case.ts'

/**
 * Chooses up to three cases that show the syntax. Cases about text that is not formatted are left
 * out, by their titles.
 */
export function typicalCases(group: readonly Case[]): Case[] {
  const positive = group.filter(
    ({ title }) => !/^(no|not|without|a .* (is|stays) text|.* (is|are) text)\b/i.test(title),
  )
  return positive.slice(0, 3)
}

/** Returns the file name of the picture for a group of cases. */
export function pictureName(group: string): string {
  return `${group.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.png`
}
