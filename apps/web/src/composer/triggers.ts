/** A partly typed mention, link, emoji, language, command or time for which suggestions are shown. */
export type Trigger = { readonly from: number; readonly query: string } & (
  | { readonly kind: 'person'; readonly isSilent: boolean }
  | { readonly kind: 'stream' | 'emoji' | 'language' | 'command' | 'time' }
  | { readonly kind: 'topic'; readonly stream: string }
)

/** Maximum number of characters before the caret that are searched for a trigger. No name is longer. */
const maxLookBack = 80

/**
 * A trigger is recognized only at the start of a text, or after white space, a bracket or a
 * quotation mark.
 */
const opening = String.raw`(?:^|(?<=[\s([{"'“‘«]))`

const language = /^(`{3,}|~{3,})[ ]?([\w+#.-]*)$/
const topic = new RegExp(`${opening}#\\*\\*([^*>]+)>([^*]*)$`, 'u')
const person = new RegExp(`${opening}@(_?)(?:\\*{0,2})([^@#*:\`\\n]*)$`, 'u')
const stream = new RegExp(`${opening}#(?:\\*{0,2})([^@#*:>\`\\n]*)$`, 'u')
const emoji = new RegExp(`${opening}:([\\p{L}\\d+_-]{2,})$`, 'u')
const time = new RegExp(`${opening}<time:?([^>\\n]*)$`, 'u')
const command = /^\/(\w*)$/

/**
 * Returns the trigger before the caret; `from` is the index at which a suggestion is inserted.
 * Undefined where there is nothing to suggest, and in code.
 */
export function findTrigger(text: string, caret: number): Trigger | undefined {
  const lineStart = text.lastIndexOf('\n', caret - 1) + 1
  const line = text.slice(lineStart, caret)
  const fence = language.exec(line)
  if (fence && !isInCode(text.slice(0, lineStart)))
    return { kind: 'language', from: lineStart + (fence[1]?.length ?? 0), query: fence[2] ?? '' }
  if (isInCode(text.slice(0, caret))) return undefined
  if (lineStart === 0 && command.test(line)) return { kind: 'command', from: 0, query: line.slice(1) }
  const near = line.slice(-maxLookBack)
  const start = caret - near.length
  const match = (pattern: RegExp) => pattern.exec(near)
  const inTopic = match(topic)
  if (inTopic)
    return { kind: 'topic', from: start + inTopic.index, stream: inTopic[1] ?? '', query: inTopic[2] ?? '' }
  const mention = match(person)
  if (mention && isName(mention[2] ?? ''))
    return {
      kind: 'person',
      from: start + mention.index,
      query: mention[2] ?? '',
      isSilent: mention[1] === '_',
    }
  const named = match(stream)
  if (named && isName(named[1] ?? ''))
    return { kind: 'stream', from: start + named.index, query: named[1] ?? '' }
  const symbol = match(emoji)
  if (symbol) return { kind: 'emoji', from: start + symbol.index, query: symbol[1] ?? '' }
  const moment = match(time)
  return moment ? { kind: 'time', from: start + moment.index, query: moment[1] ?? '' } : undefined
}

/** A name does not begin with a space, and has single spaces between words. */
const isName = (query: string): boolean => !/^\s|\s\s/.test(query)

/** Whether the end of a text is inside a fence or between backticks. */
function isInCode(text: string): boolean {
  const fences = text.match(/^(?:`{3,}|~{3,})/gm) ?? []
  if (fences.length % 2 === 1) return true
  const line = text.slice(text.lastIndexOf('\n') + 1)
  return (line.match(/`+/g) ?? []).length % 2 === 1
}
