/** Fields of a record of the export format. Missing ones get the default of the server that imports. */
export type ExportFields = Readonly<Record<string, unknown>>

/** Properties of a copied file. */
export interface CopiedFile {
  size: number
  sha256: string
  content_type: string
  width: number | null
  height: number | null
  is_animated: boolean | null
}

export interface FileToCopy {
  name: string
  declaredType: string
  content: AsyncIterable<Buffer>
}

/** Where the records of an import go: an export, or nowhere if the archive is only checked. */
export interface ImportSink {
  /** Accounts of the server, which write the notices. */
  systemAccounts: readonly { id: number; email: string }[]
  /** Adds a record. Types come in the order of the format. */
  record(type: string, fields: ExportFields): Promise<void>
  /** Adds the file of an upload, before the records of uploads. Returns undefined if it cannot be read. */
  upload(id: number, file: FileToCopy): Promise<CopiedFile | undefined>
  /** Returns the name of a file as it is written in paths. */
  nameInPath(fileName: string): string
  /** Draws the picture of a person. Returns false if it is not a picture. */
  avatar(id: number, content: AsyncIterable<Buffer>): Promise<boolean>
  /** Draws the picture of an emoji. Returns the name of its file, or undefined if it is not a picture. */
  emoji(id: number, content: AsyncIterable<Buffer>): Promise<string | undefined>
}

/** A sink for archives that are only checked: every file counts as readable. */
export const nowhere: ImportSink = {
  systemAccounts: [{ id: 1, email: 'notification-bot@oxbow.invalid' }],
  record: async () => {},
  upload: async () => ({ ...unread, size: 0 }),
  nameInPath: () => 'file',
  avatar: async () => true,
  emoji: async (id) => `${id}.png`,
}
const unread = { sha256: '', content_type: '', width: null, height: null, is_animated: null }
