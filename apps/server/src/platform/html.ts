/**
 * HTML that is safe to send. The `html` tag escapes all interpolated values that are not `Html`. Call the
 * constructor only with HTML that is trusted or already sanitized.
 */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

type Part = string | number | Html | undefined | false | readonly Part[]

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((made, literal, index) => made + write(parts[index - 1]) + literal))
}

function write(part: Part): string {
  if (part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(write).join('')
  return escapeHtml(String(part))
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
