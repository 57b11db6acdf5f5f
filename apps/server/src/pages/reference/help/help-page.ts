import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findAssetPath } from '@oxbow/assets'
import type { App } from '../../../platform/app.ts'
import { type Html, html } from '../../../platform/html.ts'
import { renderReference } from '../layout.ts'
import { type HelpPage, readHelp } from './read-help.ts'
import { renderHelp } from './render-help.ts'

/** Returns a help page as HTML; undefined if there is no page of this name. */
export async function renderHelpPage(app: App, name: string): Promise<string | undefined> {
  const pages = await readHelp()
  const page = pages.get(name)
  if (!page) return undefined
  return renderReference({
    title: name === '' ? page.title : `${page.title} – Help`,
    navigation: renderNavigation([...pages.values()], page),
    content: html`<div class="Guide Help">${await renderHelp(app, page)}</div>`,
  })
}

function renderNavigation([first, ...others]: readonly HelpPage[], open: HelpPage): Html {
  const links = others.map((page) =>
    page === open
      ? html`<li><b>${page.title}</b></li>`
      : html`<li><a href="/help/${page.name}">${page.title}</a></li>`,
  )
  return html`<h1><a href="/help">${first?.title}</a></h1><ul>${links}</ul>
<p><a href="/api/markdown">All forms of formatting</a></p>`
}

/** Returns a picture of the help pages; undefined if there is no picture of this name. */
export async function readHelpPicture(file: string): Promise<Buffer | undefined> {
  const folder = findAssetPath('helpPictures')
  // The name must be in the folder, so that it cannot be a path to another file.
  return (await readdir(folder)).includes(file) ? readFile(join(folder, file)) : undefined
}
