import fc from 'fast-check'
import { type Name, names, type Text } from '../model/model.ts'
import { alertWord } from '../server/tested-server.ts'

export interface TextOptions {
  mentions: readonly Name[]
  mentionsAll: boolean
  hasLink: boolean
  hasAlertWord: boolean
  /** Indices of uploads to link to. */
  files: readonly number[]
}

const seldom = fc.nat({ max: 5 }).map((chance) => chance === 0)

export const textOptions: fc.Arbitrary<TextOptions> = fc.record({
  mentions: fc.oneof(
    { arbitrary: fc.constant<readonly Name[]>([]), weight: 2 },
    { arbitrary: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }), weight: 1 },
    { arbitrary: fc.constant<readonly Name[]>(['robin']), weight: 1 },
  ),
  mentionsAll: seldom,
  hasLink: seldom,
  hasAlertWord: seldom,
  files: fc.oneof(
    { arbitrary: fc.constant<readonly number[]>([]), weight: 2 },
    { arbitrary: fc.uniqueArray(fc.nat({ max: 5 }), { minLength: 1, maxLength: 2 }), weight: 1 },
  ),
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

/** Writes a text with links to some of the uploads. The serial number makes it unique. */
export function write(
  options: TextOptions,
  serial: number,
  uris: readonly string[],
  isUncertain: (name: Name) => boolean,
): Text {
  const files = options.files.map((index) => uris[index % uris.length] as string)
  const mentions = options.mentions.filter((name) => !isUncertain(name))
  const words = [
    `Note ${serial}`,
    ...mentions.map((name) => `@**${fullNames[name]}**`),
    ...(options.mentionsAll ? ['@**all**'] : []),
    ...(options.hasLink ? ['https://garden.example/beds'] : []),
    ...(options.hasAlertWord ? [`about ${alertWord}`] : []),
    ...files.map((uri) => `[file](${uri})`),
  ]
  return {
    ...options,
    mentions,
    files,
    hasLink: options.hasLink || files.length > 0,
    content: words.join(' '),
  }
}
