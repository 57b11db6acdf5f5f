import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** An entry of the data package. An import of its megabyte of JSON would cost the compiler seconds. */
interface DataEntry {
  /** The code points in hexadecimal. */
  unified: string
  name: string
  short_names: string[]
  category: string
  subcategory: string
}

/**
 * Names for codes that the protocol does not have, and whose names in the data package all belong
 * to other codes.
 */
const ownNames: { readonly [code: string]: string } = {
  '1f997': 'cricket_insect',
  '1f9fe': 'sales_receipt',
  '1fab2': 'scarab',
}

/** The name of the server's own emoji, which is an image without a code point. */
const reservedName = 'chat'

/**
 * Returns every code with its names, in the packed format that `src/emoji/table.ts` describes. Skin
 * tones, country flags and joined sequences are left out, as in the protocol. The protocol's names
 * come first, so that each of its codes keeps its canonical name; the data package then adds codes
 * and names that are still free.
 */
export function buildEmojiTable(): string {
  const table = namesByCode()
  const codes = [...table.keys()].sort((a, b) => sortKey(a) - sortKey(b))
  let previous = 0
  return codes
    .map((code) => {
      const names = (table.get(code) ?? []).join(' ')
      if (code.includes('-')) return `${code} ${names}|`
      const point = Number.parseInt(code, 16)
      const step = point - previous
      previous = point
      return step === 1 ? `${names}|` : `${step.toString(36)}> ${names}|`
    })
    .join('')
}

/** Reads the protocol's table: one line per code, with the canonical name and then the aliases. */
export function readProtocolNames(): [code: string, names: string[]][] {
  const lines = readFileSync(new URL('protocol-emoji-names.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => {
    const [code = '', ...names] = line.split(' ')
    return [code, names]
  })
}

function readDataEntries(): DataEntry[] {
  const path = fileURLToPath(import.meta.resolve('emoji-datasource/emoji.json'))
  return JSON.parse(readFileSync(path, 'utf8')) as DataEntry[]
}

function namesByCode(): Map<string, string[]> {
  const usedNames = new Set([reservedName])
  const table = new Map<string, string[]>()
  const addName = (code: string, name: string) => {
    if (usedNames.has(name)) return
    usedNames.add(name)
    table.set(code, [...(table.get(code) ?? []), name])
  }
  for (const [code, names] of readProtocolNames()) for (const name of names) addName(code, name)
  for (const emoji of readDataEntries().filter((entry) => !isLeftOut(entry))) {
    const code = emoji.unified.toLowerCase().replaceAll('-fe0f', '')
    for (const name of emoji.short_names) addName(code, name)
    for (const name of [nameFromTitle(emoji.name), ownNames[code]])
      if (name !== undefined && !table.has(code)) addName(code, name)
    if (!table.has(code)) throw new Error(`no name is left for ${code}`)
  }
  return table
}

function isLeftOut({ unified, category, subcategory }: DataEntry): boolean {
  return (
    unified.includes('200D') || category === 'Component' || /^(?:country|subdivision)-flag$/.test(subcategory)
  )
}

function nameFromTitle(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
}

/** Codes of more than one point come first, so that the distances between the others stay small. */
function sortKey(code: string): number {
  return code.includes('-') ? Number.parseInt(code, 16) : 0x1000 + Number.parseInt(code, 16)
}
