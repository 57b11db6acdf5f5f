import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipFile {
  name: string
  content: Buffer
  isStored?: boolean
  /** Values that the archive claims in place of the true ones. */
  claims?: {
    size?: number
    packedSize?: number
    crc?: number
    offset?: number
    flags?: number
    mode?: number
    method?: number
  }
}

/** Writes a ZIP file, also one that lies about itself. */
export function makeZip(files: readonly ZipFile[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, isStored = false, claims = {} } of files) {
    const packed = isStored ? content : deflateRawSync(content)
    const rawName = Buffer.from(name)
    const method = claims.method ?? (isStored ? 0 : 8)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(method, 8)
    local.writeUInt16LE(rawName.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(claims.flags ?? 0, 8)
    entry.writeUInt16LE(method, 10)
    entry.writeUInt32LE(claims.crc ?? crc32(content), 16)
    entry.writeUInt32LE(claims.packedSize ?? packed.length, 20)
    entry.writeUInt32LE(claims.size ?? content.length, 24)
    entry.writeUInt16LE(rawName.length, 28)
    entry.writeUInt32LE(((claims.mode ?? 0o100644) << 16) >>> 0, 38)
    entry.writeUInt32LE(claims.offset ?? offset, 42)
    parts.push(local, rawName, packed)
    directory.push(entry, rawName)
    offset += local.length + rawName.length + packed.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, list, end])
}
