import type { Case } from './case.ts'

/** The few cases that show what a form looks like: those that say what is, not what is not. */
export function typicalCases(group: readonly Case[]): Case[] {
  const positive = group.filter(
    ({ title }) => !/^(no|not|without|a .* (is|stays) text|.* (is|are) text)\b/i.test(title),
  )
  return positive.slice(0, 3)
}

/** The file that holds the picture of a form. */
export function pictureName(group: string): string {
  return `${group.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.png`
}
