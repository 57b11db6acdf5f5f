import fc from 'fast-check'
import { type Name, names, type Text } from '../model/model.ts'
import { alertWord } from '../server/real.ts'

export interface TextWish {
  mentions: readonly Name[]
  mentionsAll: boolean
  hasLink: boolean
  hasAlertWord: boolean
}

const seldom = fc.nat({ max: 5 }).map((chance) => chance === 0)

export const textWish: fc.Arbitrary<TextWish> = fc.record({
  mentions: fc.oneof(
    { arbitrary: fc.constant<readonly Name[]>([]), weight: 2 },
    { arbitrary: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }), weight: 1 },
    { arbitrary: fc.constant<readonly Name[]>(['robin']), weight: 1 },
  ),
  mentionsAll: seldom,
  hasLink: seldom,
  hasAlertWord: seldom,
})

const fullNames: Record<Name, string> = {
  owner: 'Olive Owner',
  ada: 'Ada Gardener',
  mia: 'Mia Gardener',
  nora: 'Nora Gardener',
  gus: 'Gus Gardener',
  gwen: 'Gwen Gardener',
  robin: 'robin bot',
}

/** Writes a text, made unique by the serial number. */
export function write(wish: TextWish, serial: number, isUncertain: (name: Name) => boolean): Text {
  const mentions = wish.mentions.filter((name) => !isUncertain(name))
  const words = [
    `Note ${serial}`,
    ...mentions.map((name) => `@**${fullNames[name]}**`),
    ...(wish.mentionsAll ? ['@**all**'] : []),
    ...(wish.hasLink ? ['https://garden.example/beds'] : []),
    ...(wish.hasAlertWord ? [`about ${alertWord}`] : []),
  ]
  return { ...wish, mentions, content: words.join(' ') }
}
