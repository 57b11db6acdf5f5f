import { OperatorError } from '../operator-error.ts'

/** Size of a block: a header fills one block, and contents are padded to whole blocks. */
export const blockBytes = 512
/** The plain header has room for names and sizes (in bytes) up to these limits. */
const maxPlainName = 100
const maxPlainSize = 8 ** 11 - 1

/** Two empty blocks end a tar archive. */
export const endOfArchive = Buffer.alloc(2 * blockBytes)

/** Returns the zero bytes that pad a content of this size to whole blocks. */
export const paddingAfter = (size: number): Buffer =>
  Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes)

/**
 * Builds the header of a file in a tar archive; names and sizes beyond the plain format get a pax header
 * before it.
 */
export function buildHeader(name: string, size: number, time: Date): Buffer {
  const isLong = Buffer.byteLength(name) > maxPlainName
  if (!isLong && size <= maxPlainSize) return buildBlock({ name, size, time, type: '0' })
  const records = Buffer.from(`${paxRecord('path', name)}${paxRecord('size', String(size))}`)
  return Buffer.concat([
    buildBlock({ name: 'pax', size: records.length, time, type: 'x' }),
    records,
    paddingAfter(records.length),
    buildBlock({ name: name.slice(-maxPlainName), size: Math.min(size, maxPlainSize), time, type: '0' }),
  ])
}

interface Block {
  name: string
  size: number
  time: Date
  /** `0` for a file, `x` for a pax header. */
  type: '0' | 'x'
}

function buildBlock({ name, size, time, type }: Block): Buffer {
  const block = Buffer.alloc(blockBytes)
  block.write(name, 0, maxPlainName)
  block.write(octal(0o600, 8), 100)
  block.write(octal(0, 8), 108)
  block.write(octal(0, 8), 116)
  block.write(octal(size, 12), 124)
  block.write(octal(time.getTime() / 1_000, 12), 136)
  block.write(type, 156)
  block.write('ustar\x0000', 257)
  block.write(checksumField(block), checksumStart)
  return block
}

/** Formats a number for a header: octal, with a zero byte at its end. */
const octal = (value: number, length: number): string =>
  `${Math.floor(value)
    .toString(8)
    .padStart(length - 1, '0')}\0`

const [checksumStart, checksumEnd] = [148, 156]

/** Returns the checksum of a header in the format of its checksum field. */
const checksumField = (block: Buffer): string => `${octal(checksumOf(block), 7)} `

/** Formats a pax record. The length at its beginning includes its own digits. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  let length = Buffer.byteLength(rest)
  while (String(length).length + Buffer.byteLength(rest) !== length)
    length = String(length).length + Buffer.byteLength(rest)
  return `${length}${rest}`
}

/** Sums the bytes of a header, with spaces in place of the checksum. */
function checksumOf(block: Buffer): number {
  let sum = 0
  for (const [index, byte] of block.entries())
    sum += index >= checksumStart && index < checksumEnd ? 0x20 : byte
  return sum
}

export interface Header {
  name: string
  size: number
  isPax: boolean
}

/** Reads a header block. Throws an `OperatorError` if it is damaged. */
export function parseHeader(block: Buffer): Header {
  const text = (start: number, length: number) => {
    const field = block.toString('utf8', start, start + length)
    return field.replace(/\0.*$/s, '')
  }
  const number = (start: number, length: number) => Number.parseInt(text(start, length).trim(), 8)
  const type = text(156, 1)
  const size = number(124, 12)
  const checksum = block.toString('latin1', checksumStart, checksumEnd)
  if (checksum !== checksumField(block) || !/^[0x]$/.test(type) || !isSize(size))
    throw new OperatorError('a header is damaged')
  return { name: text(0, 100), size, isPax: type === 'x' }
}

/** Reads the name and size of a file from its pax header. */
export function parsePax(records: Buffer): Pick<Header, 'name' | 'size'> {
  const values = new Map(
    records
      .toString()
      .split('\n')
      .flatMap((line) => {
        const [, key, value] = /^\d+ (\w+)=(.*)$/s.exec(line) ?? []
        return key && value !== undefined ? [[key, value] as const] : []
      }),
  )
  const [name, size] = [values.get('path'), Number(values.get('size'))]
  if (!name || !isSize(size)) throw new OperatorError('a header is damaged')
  return { name, size }
}

const isSize = (size: number): boolean => Number.isSafeInteger(size) && size >= 0
