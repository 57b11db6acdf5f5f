/** A file of an archive. Its content is read as a stream, and never by its name from the disk. */
export interface ArchiveFile {
  /** Size in bytes after decompression. */
  size: number
  /** Throws `ImportRefusal` if the content is not what the archive says about it. */
  read(): AsyncIterable<Buffer>
}

export interface Archive extends AsyncDisposable {
  /** The files by their names, without the folder around all of them. */
  files: ReadonlyMap<string, ArchiveFile>
  /** Files that were left out, because their names could lead elsewhere or belong to the system. */
  ignored: readonly string[]
  bytes: number
  /** Changes whenever the archive does: computed from the names, sizes and times of its files. */
  fingerprint: string
}
