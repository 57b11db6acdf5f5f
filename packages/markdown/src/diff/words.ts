import { findElementEnd, getAttribute, type HtmlPiece, readHtml } from '../html/read-html.ts'

/** One word with the tags around it, so that texts can be compared without their markup. */
export type Word = {
  text: string
  /** A space, or empty if markup or the end of the text follows directly. */
  trailing: string
  before: string[]
  after: string[]
  /** Whether the word is shown only if it changed, like the target of a link. */
  hiddenWhenEqual: boolean
}

export function splitIntoWords(html: string): Word[] {
  const words: Word[] = []
  const openLinks: string[] = []
  let before: string[] = []
  const addWord = (text: string, trailing: string, hiddenWhenEqual = false) => {
    words.push({ text, trailing, before, after: [], hiddenWhenEqual })
    before = []
  }
  const addClosing = (tag: string) => {
    const last = words.at(-1)
    if (before.length > 0 || !last) before.push(tag)
    else last.after.push(tag)
  }
  const pieces = readHtml(html)
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at] as HtmlPiece
    if (piece.kind === 'text') {
      const last = words.at(-1)
      if (
        /^[ \n]/.test(piece.source) &&
        last &&
        before.length === 0 &&
        last.trailing === '' &&
        last.after.length === 0
      ) {
        last.trailing = ' '
      } else if (/^[ \n]+$/.test(piece.source)) {
        addClosing(' ')
      }
      for (const [, text = '', space = ''] of piece.source.matchAll(/([^ \n]+)([ \n]*)/g)) {
        addWord(text, space === '' ? '' : ' ')
      }
    } else if (piece.kind === 'close') {
      const href = piece.name === 'a' ? openLinks.pop() : undefined
      if (href) addWord(` Link: ${href}`, ' ', true)
      addClosing(piece.source)
    } else if (piece.name === 'img') {
      addWord(piece.source, '')
    } else if (/^katex(?:-display)?$/.test(getAttribute(piece.attributes, 'class') ?? '')) {
      // A formula is treated as one word, because marks inside it would break it.
      const end = findElementEnd(pieces, at)
      addWord(
        pieces
          .slice(at, end + 1)
          .map(({ source }) => source)
          .join(''),
        '',
      )
      at = end
    } else {
      if (piece.name === 'a') openLinks.push(getAttribute(piece.attributes, 'href') ?? '')
      before.push(piece.source)
    }
  }
  if (before.length > 0) addWord('', '')
  return words
}
