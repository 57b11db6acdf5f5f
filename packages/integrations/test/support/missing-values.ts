interface Message {
  topic: string
  content: string
}

/** Patterns that match a message if a value was missing when it was built. */
const signs: readonly { kind: string; of: 'topic' | 'content' | 'both' | 'anything'; sign: RegExp }[] = [
  { kind: 'a JavaScript value', of: 'anything', sign: /(?<![:[,])\b(?:undefined|null|NaN|Infinity)\b/g },
  { kind: 'an object', of: 'anything', sign: /\[object \w+\]|Invalid Date/g },
  { kind: 'an empty text', of: 'anything', sign: /^\s*$/g },
  { kind: 'a link without words', of: 'content', sign: /\[\s*\]\(/g },
  { kind: 'a link to nowhere', of: 'content', sign: /\]\(\s*\)/g },
  { kind: 'empty bold text', of: 'content', sign: /(?<!\*)\*{4}(?!\*)|(?<!\S)\*\* +\*\*(?!\S)/g },
  { kind: 'empty code', of: 'content', sign: /(?<!`)``(?!`)|`\s+`(?!`)/g },
  { kind: 'empty brackets', of: 'both', sign: /\(\s*\)|(?<!\w)\[\s*\](?!\()/g },
  { kind: 'a number sign without number', of: 'both', sign: /#(?=[\s.,:)\]]|$)/gm },
  {
    kind: 'a preposition at the end',
    of: 'both',
    sign: /\b(?:by|to|from|of|with|for|and|as|at)\s*(?:[.,:;)]|$)/gm,
  },
  { kind: 'a space before punctuation', of: 'both', sign: /\S [.,;](?=\s|$)/gm },
  { kind: 'two spaces', of: 'both', sign: /\S {2,}\S+/g },
  { kind: 'a key without value', of: 'content', sign: /^\* .*:\s*$/gm },
  { kind: 'an empty bullet', of: 'content', sign: /^\* *$/gm },
  { kind: 'an empty block', of: 'content', sign: /^(`{3,}|~{3,}) ?\w+\n\s*\1$/gm },
  { kind: 'a colon at the end', of: 'both', sign: /[^\n]{0,20}(?<!:[\w+-]+):\s*$/g },
  { kind: 'a line that starts with a space', of: 'both', sign: /^ \S+/g },
  { kind: 'a topic that starts or ends with punctuation', of: 'topic', sign: /^[/:,-]|[/:,#(-]\s*$/g },
]

/**
 * Lists signs of an incomplete message, as `kind: text`. Texts that the payload itself contains are
 * not listed.
 */
export function findSignsOfMissingValues(message: Message, inPayload: readonly string[] = []): string[] {
  const { topic, content } = message
  const textsByScope = {
    topic: [topic],
    content: [withoutCode(content)],
    both: [topic, withoutCode(content)],
  }
  return signs.flatMap(({ kind, of, sign }) => {
    const texts = of === 'anything' ? [topic, withoutJson(content)] : textsByScope[of]
    return texts
      .flatMap((text) => text.match(sign) ?? [])
      .filter((found) => found.trim() === '' || !inPayload.some((words) => isFromPayload(words, found)))
      .map((found) => `${kind}: ${found}`)
  })
}

/**
 * Returns whether the payload contains the text. Two spaces may come from a value that begins or
 * ends with a space.
 */
function isFromPayload(words: string, found: string): boolean {
  return words.includes(found) || (/\S {2,}\S/.test(found) && /^ | $/.test(words))
}

/** Removes JSON blocks, because a payload that is shown as a whole may contain anything. */
function withoutJson(content: string): string {
  return content.replace(/^(`{3,}|~{3,})json\n[\s\S]*?\n\1$/gm, 'json')
}

/** Removes code blocks, in which any spacing and punctuation is allowed. */
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
