/** Writes words, lines, quotes and lists as plain text. A line starts only when it gets content. */
export class PlainTextWriter {
  private readonly lines: string[] = []
  private line = ''
  private atLineStart = true
  private quotes = 0
  private preformatted = 0
  private cells = 0
  private pendingMark = ''
  private readonly lists: { next: number | undefined }[] = []

  text(text: string): void {
    if (this.preformatted > 0) {
      for (const [index, line] of text.split('\n').entries()) {
        if (index > 0) this.newLine()
        if (line !== '') this.append(line)
      }
      return
    }
    const collapsed = text.replace(/[ \n]+/g, ' ')
    this.append(this.atLineStart ? collapsed.trimStart() : collapsed)
  }

  newLine(): void {
    const line = this.line.trimEnd()
    if (line !== '') this.lines.push(line)
    this.line = ''
    this.atLineStart = true
    this.cells = 0
  }

  beginQuote(): void {
    this.newLine()
    this.quotes++
  }

  endQuote(): void {
    this.newLine()
    this.quotes--
  }

  beginPreformatted(): void {
    this.newLine()
    this.preformatted++
  }

  endPreformatted(): void {
    this.preformatted--
    this.newLine()
  }

  beginList(firstNumber: number | undefined): void {
    this.newLine()
    this.lists.push({ next: firstNumber })
  }

  endList(): void {
    this.newLine()
    this.lists.pop()
  }

  beginItem(): void {
    this.newLine()
    const list = this.lists.at(-1)
    const indent = '  '.repeat(Math.max(0, this.lists.length - 1))
    this.pendingMark = `${indent}${list?.next === undefined ? '*' : `${list.next}.`} `
    if (list?.next !== undefined) list.next++
  }

  beginCell(): void {
    if (this.cells++ === 0) return
    this.line = this.line.trimEnd()
    this.append(' | ')
  }

  finish(): string {
    this.newLine()
    return this.lines.join('\n').trim()
  }

  private append(text: string): void {
    if (text === '') return
    if (this.atLineStart) {
      this.line = '> '.repeat(this.quotes) + this.pendingMark
      this.pendingMark = ''
      this.atLineStart = false
    }
    this.line += text
  }
}
