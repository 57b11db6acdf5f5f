import type { DestinationStream } from 'pino'

type Entry = Record<string, unknown> & { time?: string; level?: string; msg?: string; err?: LoggedError }

interface LoggedError {
  type?: string
  message?: string
  stack?: string
  [field: string]: unknown
}

const colours: Record<string, number> = { fatal: 31, error: 31, warn: 33, info: 32, debug: 36, trace: 90 }
/** Fields that are not shown as `name=value`: they have a fixed position, or are the same in every line. */
const shownApart = new Set(['time', 'level', 'pid', 'msg', 'err'])

/**
 * Writes readable log lines: `12:31:05.123 WARN  text  name=value`, with the stack of an error
 * below.
 */
export function textStream(out: { write(text: string): unknown }): DestinationStream {
  return { write: (line) => void out.write(`${formatLine(line)}\n`) }
}

/** Formats one line of JSON; returns any other line unchanged. */
export function formatLine(line: string, isColoured = true): string {
  const entry = parse(line)
  if (!entry) return line.trimEnd()
  const paint = (code: number, text: string) => (isColoured ? `\x1b[${code}m${text}\x1b[0m` : text)
  const { time = '', level = '', msg = '', err } = entry
  const clock = /T([\d:.]+)Z/.exec(time)?.[1] ?? time
  const fields = Object.entries(entry)
    .filter(([name, value]) => !shownApart.has(name) && value !== undefined)
    .map(([name, value]) => `${paint(90, `${name}=`)}${show(value)}`)
  const head = [
    paint(90, clock),
    paint(colours[level] ?? 0, level.toUpperCase().padEnd(5)),
    escapeControls(msg),
  ]
  return [[...head, ...fields].join(' '), ...(err ? describe(err) : [])].join('\n')
}

function parse(line: string): Entry | undefined {
  try {
    const parsed: unknown = JSON.parse(line)
    return parsed !== null && typeof parsed === 'object' ? (parsed as Entry) : undefined
  } catch {
    return undefined
  }
}

const show = (value: unknown): string =>
  typeof value === 'string' && /^[\w./:{}-]+$/.test(value) ? value : JSON.stringify(value)

function describe({ stack, message = '', type: _, ...fields }: LoggedError): string[] {
  const lines = (stack ?? message).split('\n').map((line) => `    ${escapeControls(line.trim())}`)
  const simpleFields = Object.entries(fields).filter(([, value]) => typeof value !== 'object')
  return simpleFields.length === 0
    ? lines
    : [...lines, `    ${simpleFields.map(([name, value]) => `${name}=${show(value)}`).join(' ')}`]
}

/** Escapes control characters, because they could manipulate the terminal. */
const escapeControls = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it matches
  text.replace(/[\x00-\x1f\x7f-\x9f]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)
