/** Puts words, lines, quotes and lists together; a line is begun only when something comes to stand in it. */
export class PlainTextWriter {
  private output = ''
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
    this.output = this.output.trimEnd()
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
    this.output = this.output.trimEnd()
    this.append(' | ')
  }

  finish(): string {
    return this.output.trim()
  }

  private append(text: string): void {
    if (text === '') return
    if (this.atLineStart) {
      if (this.output !== '') this.output += '\n'
      this.output += '> '.repeat(this.quotes) + this.pendingMark
      this.pendingMark = ''
      this.atLineStart = false
    }
    this.output += text
  }
}
