import { hash } from 'node:crypto'
import { defaultOptions, type ImportOptions } from '../src/pipeline/options.ts'
import type { ExportFields, ImportSink } from '../src/pipeline/sink.ts'

/** A sink that keeps everything, for tests. */
export class MemorySink implements ImportSink {
  readonly systemAccounts = [{ id: 1, email: 'notification-bot@oxbow.invalid' }]
  readonly records: Record<string, ExportFields[]> = {}
  readonly files = new Map<string, string>()
  nameInPath = (name: string): string => name.replace(/[^\w.-]/g, '-')

  async record(type: string, fields: ExportFields): Promise<void> {
    this.records[type] ??= []
    this.records[type].push(fields)
  }

  async upload(id: number, { content }: { content: AsyncIterable<Buffer> }) {
    const text = await read(content)
    this.files.set(`uploads/${id}`, text)
    const sha256 = hash('sha256', text, 'hex')
    return {
      size: Buffer.byteLength(text),
      sha256,
      content_type: 'text/plain',
      width: null,
      height: null,
      is_animated: null,
    }
  }

  async avatar(id: number, content: AsyncIterable<Buffer>): Promise<boolean> {
    this.files.set(`avatars/${id}`, await read(content))
    return true
  }

  async emoji(id: number, content: AsyncIterable<Buffer>): Promise<string> {
    this.files.set(`emoji/${id}`, await read(content))
    return `${id}.png`
  }

  of = (type: string): ExportFields[] => this.records[type] ?? []
}

async function read(content: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

export const testOptions: ImportOptions = {
  ...defaultOptions,
  name: 'The Garden',
  exportedAt: Date.UTC(2026, 0, 1) * 1_000,
}
