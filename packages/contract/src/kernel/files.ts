/** That an endpoint takes files, and how many of what size. */
export interface FileRule {
  /** Whoever sends more is refused by the action, which has the words for it. */
  readonly most: number
  /** Of each; larger ones are refused while they come in. */
  readonly maxBytes: number
  /** The call makes sense without any. */
  readonly isOptional?: true
}

/** A file as an action gets it. The name is what its sender calls it and nothing else: not a path, not a type. */
export interface UploadedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** A file as a client gives it. */
export interface FileToUpload {
  readonly name: string
  readonly bytes: Uint8Array | Blob
}

export const bytesPerMebibyte = 1_048_576
