import type { UploadedPicture } from '../../src/index.ts'

/**
 * Settings of a case that differ from the defaults. They are plain data, so that a browser page can
 * receive the cases.
 */
export type CaseSettings = {
  translateEmoticons?: boolean
  defaultCodeLanguage?: string
  previews?: false
  /** Uploaded pictures, by path. */
  uploads?: UploadedPicture[]
  pages?: { [url: string]: { title: string; description: string; image: string } }
}

/** One rule of the dialect as an example, which is tested and shown in the help. */
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
