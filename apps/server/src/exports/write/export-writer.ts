import type { ExportManifest } from '../format/manifest.ts'

/** Where an export is written to: a directory, or an archive. */
export interface ExportWriter {
  add(name: string, content: Buffer): Promise<void>
  /** Adds a file of known size. Throws if the content has another size. */
  addStream(name: string, size: number, content: AsyncIterable<Buffer>): Promise<void>
  /** Writes the manifest, and returns the field `contents` that it added to it. */
  finish(manifest: Omit<ExportManifest, 'contents'>): Promise<ExportManifest['contents']>
}
