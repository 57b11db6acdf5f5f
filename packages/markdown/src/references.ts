import { decodeUploadPath } from './findings.ts'
import { normalizeText } from './normalize.ts'
import { maxTargets } from './plugins/previews.ts'
import { isImagePath } from './previews/recognize.ts'

/** Names that a text may refer to. Some may turn out not to be references; none is missing. */
export type References = {
  /** Names as typed; people are found case-insensitively. */
  people: { name: string; id?: number }[]
  groups: string[]
  /** Exact names. */
  streams: string[]
  /** Custom emoji, and Unicode ones too: only the caller knows which of them are custom. */
  emoji: string[]
  /** Decoded paths behind `/user_uploads/` of pictures that may get a preview. */
  pictures: string[]
}

const maxNameCharacters = 100
const person = /@_?\*\*([^*]+)\*\*/g
const group = /@\*([^*]+)\*/g
const stream = /#\*\*([^*]+)\*\*/g
const emoji = /:([\w+-]{1,100}):/g
const upload = /user_uploads\/([^\s?#()<>"'`]{1,1000})/g
const nameWithId = /^(.+)\|(\d{1,10})$/

/** Finds the names that must be looked up, in one query, before a text is rendered. */
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

/** The part before `>` may be the stream and the rest its topic, or the whole may be the stream. */
function listStreamNames(name: string): string[] {
  const beforeTopic = name.split('>', 1)[0] ?? ''
  return beforeTopic === name || beforeTopic === '' ? [name] : [beforeTopic, name]
}

function findNames(text: string, pattern: RegExp, trigger: string): string[] {
  if (!text.includes(trigger)) return []
  const names = Array.from(text.matchAll(pattern), ([, name = '']) => name)
  // A stream's name may be followed by a topic, so the limit leaves room for one.
  return [...new Set(names.filter((name) => name.length <= maxNameCharacters * 2))]
}

/** Finds uploaded pictures; none in texts with so many links that they have no previews. */
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
