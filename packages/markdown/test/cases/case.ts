import type { UploadedPicture } from '../../src/index.ts'

/** Settings a case differs in; plain data, so that a browser page can be handed the same cases. */
export type CaseSettings = {
  translateEmoticons?: boolean
  defaultCodeLanguage?: string
  previews?: false
  /** Uploaded pictures, by path. */
  uploads?: UploadedPicture[]
  pages?: { [url: string]: { title: string; description: string; image: string } }
}

/** One fact of the dialect, tested and shown in the help. */
export type Case = { group: string; title: string; input: string; html: string; settings?: CaseSettings }

type Row = readonly [title: string, input: string, html: string, settings?: CaseSettings]

export function casesOf(group: string, rows: readonly Row[]): Case[] {
  return rows.map(([title, input, html, settings]) => ({
    group,
    title,
    input,
    html,
    ...(settings ? { settings } : {}),
  }))
}
