import type { App } from '../../platform/app.ts'
import { Html, html } from '../../platform/html.ts'
import type { Guide } from './guides.ts'

/** Placeholder for the URL while the guide is rendered, inside and outside of code. */
const urlMark = 'OxbowWebhookUrl'
const blockMark = 'OxbowGuideBlock'

/** Cached, because files do not change while a node runs. */
const rendered = new Map<string, string>()

/** Renders the guide as HTML, with the URL in place of `{url}`. */
export async function renderGuide({ markdown }: App, { name, text }: Guide, url: string): Promise<Html> {
  const made = rendered.get(name) ?? (await render(markdown, text.replaceAll('{url}', urlMark)))
  rendered.set(name, made)
  // The guide is a file of this repository, so its HTML is trusted.
  return new Html(made.replaceAll(urlMark, () => html`<span class="url">${url}</span>`.text))
}

/**
 * Renders code blocks in list items separately, because the Markdown of messages does not support
 * them there.
 */
async function render(markdown: App['markdown'], text: string): Promise<string> {
  const blocks: string[] = []
  const withMarks = text.replace(codeBlock, (block, indent: string) => {
    blocks.push(block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
    return `${indent}${blockMark}${blocks.length - 1}.`
  })
  const toHtml = async (text: string) => (await markdown.render({ text }))?.html ?? ''
  const [guideHtml = '', ...parts] = await Promise.all([joinLines(withMarks), ...blocks].map(toHtml))
  // The Markdown of messages does not support an escaped bar in a table either.
  return guideHtml
    .replaceAll('\\|', '|')
    .replaceAll(markedPlace, (_, index: string) => parts[Number(index)] ?? '')
}

/** Joins wrapped lines, because a line break in a message is kept. */
const joinLines = (text: string): string => text.replace(/(?<=^ *(?![#|]).*\S)\n *(?=[\p{L}(`"])/gmu, ' ')

const codeBlock = /^( *)(`{3,}).*\n[\s\S]*?\n\1\2 *$/gm
const markedPlace = new RegExp(`(?:<p>)?${blockMark}(\\d+)\\.(?:</p>)?`, 'g')
