import type { RenderEnv } from './block-state.ts'
import type { BlockToken } from './block-token.ts'
import { openTag } from './element.ts'
import { writeInline } from './inline/node.ts'
import { writeDisplayMath } from './math/write-math.ts'
import { writeCodeBlockHtml } from './plugins/code-block.ts'

/** Writes a whole message as HTML, with the dialect's line breaks between blocks. */
export function writeHtml(tokens: readonly BlockToken[], env: RenderEnv): string {
  let html = ''
  for (let at = 0; at < tokens.length; at++) html += writeToken(tokens[at] as BlockToken, tokens[at + 1], env)
  return html.trim()
}

function writeToken(token: BlockToken, next: BlockToken | undefined, env: RenderEnv): string {
  switch (token.type) {
    case 'inline':
      return writeInline(token.nodes, env.write)
    case 'code_block':
      return `${writeCodeBlockHtml(token, env)}\n\n\n`
    case 'math_block':
      return `<p>${writeDisplayMath(token.content, env.write)}</p>${next?.type === 'math_block' ? '\n' : '\n\n'}`
    case 'preview':
      return token.content
    case 'hr':
      return '<hr>\n'
    case 'spoiler_open':
      return '<div class="spoiler-block"><div class="spoiler-header">\n\n'
    case 'spoiler_content':
      return '</div><div class="spoiler-content" aria-hidden="true">\n\n'
    case 'spoiler_close':
      return '</div></div>\n\n'
    default:
      return writeElement(token, next)
  }
}

function writeElement(token: BlockToken, next: BlockToken | undefined): string {
  if (token.hidden) return ''
  if (token.nesting === -1) return `</${token.tag}>\n`
  const open = token.attributes ? openTag(token.tag, token.attributes) : `<${token.tag}>`
  return opensBlock(next) ? `${open}\n` : open
}

/** Returns whether a line break follows the opening tag, because a block is the first child. */
function opensBlock(next: BlockToken | undefined): boolean {
  if (!next || next.hidden || next.type === 'inline' || next.type === 'preview') return false
  return next.nesting >= 0
}
