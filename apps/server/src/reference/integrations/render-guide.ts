import type { App } from '../../platform/app.ts'
import { Html, html } from '../../platform/html.ts'
import type { Guide } from './guides.ts'

/** Stands for the URL while the guide is rendered, inside code and outside. */
const urlMark = 'OxbowWebhookUrl'
const blockMark = 'OxbowGuideBlock'

/** Files do not change under a running node. */
const rendered = new Map<string, string>()

/** The guide as HTML, with the URL wherever it says `{url}`. */
export async function renderGuide({ markdown }: App, { name, text }: Guide, url: string): Promise<Html> {
  const made = rendered.get(name) ?? (await render(markdown, text.replaceAll('{url}', urlMark)))
  rendered.set(name, made)
  // Rendered from a file of ours, so it is as safe as the page itself.
  return new Html(made.replaceAll(urlMark, () => html`<span class="url">${url}</span>`.text))
}

/** Messages have no blocks of code in the steps of a list; guides do, so those are rendered apart and put in their places. */
async function render(markdown: App['markdown'], text: string): Promise<string> {
  const blocks: string[] = []
  const withMarks = text.replace(codeBlock, (block, indent: string) => {
    blocks.push(block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
    return `${indent}${blockMark}${blocks.length - 1}.`
  })
  const toHtml = async (each: string) => (await markdown.render({ text: each }))?.html ?? ''
  const [whole = '', ...parts] = await Promise.all([joinLines(withMarks), ...blocks].map(toHtml))
  // Messages know no escaped bar in a table, either.
  return whole
    .replaceAll('\\|', '|')
    .replaceAll(markedPlace, (_, place: string) => parts[Number(place)] ?? '')
}

/** In a message a line ends where its writer ended it; files are wrapped where the editor ends. */
const joinLines = (text: string): string => text.replace(/(?<=^ *(?![#|]).*\S)\n *(?=[\p{L}(`"])/gmu, ' ')

const codeBlock = /^( *)(`{3,}).*\n[\s\S]*?\n\1\2 *$/gm
const markedPlace = new RegExp(`(?:<p>)?${blockMark}(\\d+)\\.(?:</p>)?`, 'g')
