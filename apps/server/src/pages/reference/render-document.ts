import type { App } from '../../platform/app.ts'

/** Placeholder for a code block while the text around it is rendered. */
const blockMark = 'OxbowGuideBlock'

/**
 * Renders a document of this repository with the message renderer. Code blocks in list items are
 * rendered separately, because the Markdown of messages does not support them there.
 */
export async function renderDocument(markdown: App['markdown'], text: string): Promise<string> {
  const blocks: string[] = []
  const withMarks = text.replace(codeBlock, (block, indent: string) => {
    blocks.push(block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
    return `${indent}${blockMark}${blocks.length - 1}.`
  })
  const toHtml = async (text: string) => (await markdown.render({ text }))?.html ?? ''
  const [whole = '', ...parts] = await Promise.all([joinLines(withMarks), ...blocks].map(toHtml))
  // The Markdown of messages does not support an escaped `|` in a table, so the backslash is
  // removed here.
  return whole
    .replaceAll('\\|', '|')
    .replaceAll(markedPlace, (_, index: string) => parts[Number(index)] ?? '')
}

/** Joins wrapped lines, because the Markdown of messages keeps line breaks. */
const joinLines = (text: string): string => text.replace(/(?<=^ *(?![#|]).*\S)\n *(?=[\p{L}(`"])/gmu, ' ')

const codeBlock = /^( *)(`{3,}).*\n[\s\S]*?\n\1\2 *$/gm
const markedPlace = new RegExp(`(?:<p>)?${blockMark}(\\d+)\\.(?:</p>)?`, 'g')
