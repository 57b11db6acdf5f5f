import type { App } from '../../../platform/app.ts'
import { Html, html } from '../../../platform/html.ts'
import { renderDocument } from '../render-document.ts'
import type { HelpPage } from './read-help.ts'

/** URL path of the pictures in `docs/images/using`. */
const picturesPath = '/help/pictures/'

/**
 * Placeholder for a picture while the text around it is rendered, because the Markdown of messages
 * has no pictures with relative paths.
 */
const pictureMark = 'OxbowHelpPicture'
const picture = /^!\[(.+)\]\(\.\.\/images\/using\/([\w-]+\.png)\)$/gm
const markedPicture = new RegExp(`<p>${pictureMark}(\\d+)\\.</p>`, 'g')
const pageLink = /\]\((README|[a-z-]+)\.md(#[\w-]+)?\)/g
const heading = /<(h[2-6])>(.*?)<\/\1>/g

/** Cached, because files do not change while a node runs. */
const renderedPages = new Map<string, Html>()

/**
 * Renders a help page. Its headings get ids for links, and are a level lower than in the file,
 * because the navigation contains the top heading.
 */
export async function renderHelp({ markdown }: Pick<App, 'markdown'>, page: HelpPage): Promise<Html> {
  const cached = renderedPages.get(page.name)
  if (cached) return cached
  const pictures: Html[] = []
  const source = page.text
    .replaceAll(/^(#+ )/gm, '#$1')
    .replaceAll(pageLink, (_, name: string, part = '') => `](${helpPath(name)}${part})`)
    .replaceAll(picture, (_, text: string, file: string) => {
      pictures.push(html`<p class="Help-picture"><img src="${picturesPath}${file}" alt="${text}"></p>`)
      return `${pictureMark}${pictures.length - 1}.`
    })
  const made = (await renderDocument(markdown, source))
    .replaceAll(markedPicture, (_, index: string) => pictures[Number(index)]?.text ?? '')
    .replaceAll(heading, (_, tag: string, text: string) => `<${tag} id="${slugOf(text)}">${text}</${tag}>`)
  // The page is a file of this repository, so its HTML is trusted.
  const result = new Html(made)
  renderedPages.set(page.name, result)
  return result
}

/** Returns the path of a page by the name of its file. */
const helpPath = (name: string): string => (name === 'README' ? '/help' : `/help/${name}`)

/** Returns the id of a heading, in the form that other Markdown viewers use. */
const slugOf = (text: string): string =>
  text
    .replaceAll(/<[^>]+>|&\w+;/g, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')
