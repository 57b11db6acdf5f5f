import { randomInt } from 'node:crypto'

/** Returns a random item of a list that is not empty. */
export const pickRandom = <const Item>(items: readonly Item[]): Item => items[randomInt(items.length)] as Item
