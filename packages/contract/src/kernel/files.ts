/** Limits for the files that an endpoint accepts. */
export type FileRule = WholeFileRule | StreamedFileRule

/** Files that are received completely before the action runs. */
export interface WholeFileRule {
  readonly streamed?: undefined
  /** The action refuses requests with more files, with its own error. */
  readonly maxFiles: number
  /** Maximum size of each file. A larger file is refused while it is received. */
  readonly maxBytes: number
  /** Set if the request is valid without a file. */
  readonly isOptional?: true
}

/**
 * One file that the action reads while the file arrives, because it may be too large for memory.
 * The server's configuration limits its size.
 */
export interface StreamedFileRule {
  readonly streamed: true
  readonly maxFiles: 1
  readonly isOptional?: undefined
}

/**
 * A file as an action receives it. The sender chose the name: never use it as a path or to infer
 * the file type.
 */
export interface UploadedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** A file that a client uploads. */
export interface FileToUpload {
  readonly name: string
  readonly bytes: Uint8Array | Blob
}

export const bytesPerMebibyte = 1_048_576
