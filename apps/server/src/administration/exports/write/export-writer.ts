import type { ExportManifest } from '../format/manifest.ts'

/** Destination of an export: a directory or an archive. */
export interface ExportWriter {
  add(name: string, content: Buffer): Promise<void>
  /** Adds a file. Throws if the size of the content is not `size`. */
  addStream(name: string, size: number, content: AsyncIterable<Buffer>): Promise<void>
  /** Writes the manifest. Returns its field `contents`, which this method adds. */
  finish(manifest: Omit<ExportManifest, 'contents'>): Promise<ExportManifest['contents']>
}
