import { decodeUploadPath } from './findings.ts'
import { normalizeText } from './normalize.ts'
import { maxTargets } from './plugins/previews.ts'
import { isImagePath } from './previews/recognize.ts'

/** Names that a text may refer to: all names that it refers to, and possibly others. */
export type References = {
  /** Names as typed. They are looked up case-insensitively. */
  people: { name: string; id?: number }[]
  groups: string[]
  /** Names, which must match exactly. */
  streams: string[]
  /**
   * Names of emoji. Unicode emoji are included, because the caller has to find out which names are
   * custom emoji.
   */
  emoji: string[]
  /** Decoded paths after `/user_uploads/` of pictures that may get a preview. */
  pictures: string[]
}

const maxNameCharacters = 100
const person = /@_?\*\*([^*]+)\*\*/g
const group = /@\*([^*]+)\*/g
const stream = /#\*\*([^*]+)\*\*/g
const emoji = /:([\w+-]{1,100}):/g
const upload = /user_uploads\/([^\s?#()<>"'`]{1,1000})/g
const nameWithId = /^(.+)\|(\d{1,10})$/s

/** Finds the names in a text that must be looked up before rendering, so that one query can do it. */
export function findReferences(source: string): References {
  const text = normalizeText(source)
  return {
    people: findPeople(text),
    groups: findNames(text, group, '@*'),
    streams: [...new Set(findNames(text, stream, '#**').flatMap(listStreamNames))],
    emoji: findEmojiNames(text),
    pictures: findPictures(text),
  }
}

function findPeople(text: string): References['people'] {
  return findNames(text, person, '@').flatMap((name) => {
    const [, nameAlone, id] = nameWithId.exec(name) ?? []
    return nameAlone === undefined ? [{ name }] : [{ name: nameAlone, id: Number(id) }, { name }]
  })
}

/** Lists the possible names of the stream: `>` may separate it from a topic, or be part of its name. */
function listStreamNames(name: string): string[] {
  const beforeTopic = name.split('>', 1)[0] ?? ''
  return beforeTopic === name || beforeTopic === '' ? [name] : [beforeTopic, name]
}

function findNames(text: string, pattern: RegExp, trigger: string): string[] {
  if (!text.includes(trigger)) return []
  const names = Array.from(text.matchAll(pattern), ([, name = '']) => name)
  // The limit leaves room for a topic after the name of a stream.
  return [...new Set(names.filter((name) => name.length <= maxNameCharacters * 2))]
}

/** Finds uploaded pictures. Returns none if there are so many that the message gets no previews. */
function findPictures(text: string): string[] {
  if (!text.includes('user_uploads/')) return []
  const paths = Array.from(text.matchAll(upload), ([, path = '']) => decodeUploadPath(path))
  const pictures = new Set(paths.filter(isImagePath))
  return pictures.size > maxTargets ? [] : [...pictures]
}

function findEmojiNames(text: string): string[] {
  const names = new Set<string>()
  emoji.lastIndex = 0
  for (let match = emoji.exec(text); match; match = emoji.exec(text)) {
    names.add(match[1] ?? '')
    emoji.lastIndex = match.index + match[0].length - 1
  }
  return [...names]
}
