interface Message {
  topic: string
  content: string
}

/** Signs that something was missing where a message was put together. */
const signs: readonly { kind: string; of: 'topic' | 'content' | 'both' | 'anything'; sign: RegExp }[] = [
  { kind: 'a value of the language', of: 'anything', sign: /(?<![:[,])\b(?:undefined|null|NaN|Infinity)\b/g },
  { kind: 'an object', of: 'anything', sign: /\[object \w+\]|Invalid Date/g },
  { kind: 'nothing at all', of: 'anything', sign: /^\s*$/g },
  { kind: 'a link without words', of: 'content', sign: /\[\s*\]\(/g },
  { kind: 'a link to nowhere', of: 'content', sign: /\]\(\s*\)/g },
  { kind: 'nothing in bold', of: 'content', sign: /(?<!\*)\*{4}(?!\*)|(?<!\S)\*\* +\*\*(?!\S)/g },
  { kind: 'no code', of: 'content', sign: /(?<!`)``(?!`)|`\s+`(?!`)/g },
  { kind: 'empty brackets', of: 'both', sign: /\(\s*\)|(?<!\w)\[\s*\](?!\()/g },
  { kind: 'a number sign without number', of: 'both', sign: /#(?=[\s.,:)\]]|$)/gm },
  {
    kind: 'a word that wants another',
    of: 'both',
    sign: /\b(?:by|to|from|of|with|for|and|as|at)\s*(?:[.,:;)]|$)/gm,
  },
  { kind: 'a space before a mark', of: 'both', sign: /\S [.,;](?=\s|$)/gm },
  { kind: 'two spaces', of: 'both', sign: /\S {2,}\S+/g },
  { kind: 'a key without value', of: 'content', sign: /^\* .*:\s*$/gm },
  { kind: 'an empty bullet', of: 'content', sign: /^\* *$/gm },
  { kind: 'an empty block', of: 'content', sign: /^(`{3,}|~{3,}) ?\w+\n\s*\1$/gm },
  { kind: 'a colon at the end', of: 'both', sign: /[^\n]{0,20}(?<!:[\w+-]+):\s*$/g },
  { kind: 'a line that starts in the middle', of: 'both', sign: /^ \S+/g },
  { kind: 'a topic that starts or ends in the middle', of: 'topic', sign: /^[/:,-]|[/:,#(-]\s*$/g },
]

/**
 * Lists signs of an incomplete message, as `kind: text`. Texts from the payload itself do not
 * count.
 */
export function findHalfMade(message: Message, inPayload: readonly string[] = []): string[] {
  const { topic, content } = message
  const looks = { topic: [topic], content: [withoutCode(content)], both: [topic, withoutCode(content)] }
  return signs.flatMap(({ kind, of, sign }) => {
    const texts = of === 'anything' ? [topic, withoutJson(content)] : looks[of]
    return texts
      .flatMap((text) => text.match(sign) ?? [])
      .filter((found) => found.trim() === '' || !inPayload.some((words) => isFrom(words, found)))
      .map((found) => `${kind}: ${found}`)
  })
}

/** Returns whether the payload contains the text, also across parts that end with a space. */
function isFrom(words: string, found: string): boolean {
  return words.includes(found) || (/\S {2,}\S/.test(found) && /^ | $/.test(words))
}

/** A payload that is shown whole may hold anything. */
function withoutJson(content: string): string {
  return content.replace(/^(`{3,}|~{3,})json\n[\s\S]*?\n\1$/gm, 'json')
}

/** Source code has its own way with spaces and marks. */
function withoutCode(content: string): string {
  const keptLines: string[] = []
  let code: string | undefined
  let quote: string | undefined
  for (const line of content.split('\n')) {
    if (code === undefined) keptLines.push(line)
    const [, marks, info] = /^(`{3,}|~{3,})( quote|\w*)$/.exec(line) ?? []
    if (marks === undefined) continue
    if (code !== undefined) code = line === code ? undefined : code
    else if (line === quote) quote = undefined
    else if (info === ' quote') quote = marks
    else code = marks
  }
  return keptLines.join('\n')
}
