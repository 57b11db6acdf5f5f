const longestTopic = 60
const longestContent = 10_000
const truncated = '\n[message truncated]'

/** The sender of a delivery cannot mend it, so what is too long is cut, visibly. */
export function fitTopic(topic: string): string {
  const points = Array.from(topic.trim())
  return points.length <= longestTopic ? points.join('') : `${points.slice(0, longestTopic - 3).join('')}...`
}

/** In bytes, as messages are measured. A block of code that the cut opens is closed again. */
export function fitContent(content: string): string {
  if (Buffer.byteLength(content) <= longestContent) return content
  const room = longestContent - Buffer.byteLength(truncated)
  const cut = cutAt(content, room)
  const fence = openFence(cut)
  if (fence === undefined) return cut + truncated
  return `${cutAt(content, room - fence.length - 1)}\n${fence}${truncated}`
}

/** At most so many bytes, and no half character. */
function cutAt(text: string, bytes: number): string {
  let end = bytes
  const encoded = Buffer.from(text)
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end--
  return encoded.toString('utf8', 0, end).trimEnd()
}

/** The marks of the outermost fence that stands open at the end. */
export function openFence(text: string): string | undefined {
  const open: string[] = []
  for (const line of text.split('\n')) {
    const [, marks, language] = /^(`{3,}|~{3,})([^`~]*)$/.exec(line.trimEnd()) ?? []
    if (marks === undefined) continue
    if (marks === open.at(-1) && language === '') open.pop()
    else if (open.length === 0 || isContainer(text)) open.push(marks)
  }
  return open[0]
}

const isContainer = (text: string): boolean => /^(?:`{3,}|~{3,}) *(?:quote|spoiler)/m.test(text)
