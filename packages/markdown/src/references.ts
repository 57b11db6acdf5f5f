import { normalizeText } from './normalize.ts'

/** Names a text may refer to. A few may turn out to be nothing; none that matters is left out. */
export type References = {
  /** As typed; people are found ignoring case. */
  people: { name: string; id?: number }[]
  groups: string[]
  /** Exact names. */
  streams: string[]
  /** Custom emoji, and Unicode ones too: only the caller knows which of them are custom. */
  emoji: string[]
}

const longestName = 100
const person = /@_?\*\*([^*]+)\*\*/g
const group = /@\*([^*]+)\*/g
const stream = /#\*\*([^*]+)\*\*/g
const emoji = /:([\w+-]{1,100}):/g
const nameWithId = /^(.+)\|(\d{1,10})$/

/** The first of two steps: look these up in one query, then render with what was found. */
export function findReferences(source: string): References {
  const text = normalizeText(source)
  return {
    people: peopleIn(text),
    groups: namesOf(text, group, '@*'),
    streams: [...new Set(namesOf(text, stream, '#**').flatMap(streamNames))],
    emoji: emojiIn(text),
  }
}

function peopleIn(text: string): References['people'] {
  return namesOf(text, person, '@').flatMap((name) => {
    const [, nameAlone, id] = nameWithId.exec(name) ?? []
    return nameAlone === undefined ? [{ name }] : [{ name: nameAlone, id: Number(id) }, { name }]
  })
}

/** The part before `>` may be the stream and the rest its topic, or the whole may be the stream. */
function streamNames(name: string): string[] {
  const beforeTopic = name.split('>', 1)[0] ?? ''
  return beforeTopic === name || beforeTopic === '' ? [name] : [beforeTopic, name]
}

function namesOf(text: string, pattern: RegExp, trigger: string): string[] {
  if (!text.includes(trigger)) return []
  const names = Array.from(text.matchAll(pattern), ([, name = '']) => name)
  // A stream's name may be followed by a topic, so the limit leaves room for one.
  return [...new Set(names.filter((name) => name.length <= longestName * 2))]
}

function emojiIn(text: string): string[] {
  const names = new Set<string>()
  emoji.lastIndex = 0
  for (let match = emoji.exec(text); match; match = emoji.exec(text)) {
    names.add(match[1] ?? '')
    emoji.lastIndex = match.index + match[0].length - 1
  }
  return [...names]
}
