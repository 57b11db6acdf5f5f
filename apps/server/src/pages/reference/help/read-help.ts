import { readFile } from 'node:fs/promises'
import { findAsset } from '@oxbow/assets'

/** A page for people who use the web client. */
export interface HelpPage {
  /** Path of the page below `/help`; empty for the first page. */
  name: string
  title: string
  /** The Markdown source, including the title. */
  text: string
}

/** Cached, because files do not change while a node runs. */
let pages: Promise<ReadonlyMap<string, HelpPage>> | undefined

/** Returns the pages by name: first the start page, then the others in the order of its links. */
export function readHelp(): Promise<ReadonlyMap<string, HelpPage>> {
  pages ??= readPages()
  return pages
}

async function readPages(): Promise<ReadonlyMap<string, HelpPage>> {
  const first = await readPage('')
  const linked = [...first.text.matchAll(/\]\(([a-z-]+)\.md/g)].map(([, name = '']) => name)
  const others = await Promise.all([...new Set(linked)].map(readPage))
  return new Map([first, ...others].map((page) => [page.name, page]))
}

async function readPage(name: string): Promise<HelpPage> {
  const text = await readFile(new URL(`${name || 'README'}.md`, findAsset('help')), 'utf8')
  const [, title = name] = /^# (.+)/.exec(text) ?? []
  return { name, title, text }
}
