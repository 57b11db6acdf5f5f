import { type CoreState, type Dialect, getEnv } from '../block-state.ts'
import { type BlockToken, createToken, getTokens } from '../block-token.ts'
import { decodeUploadPath, findUploadPath } from '../findings.ts'
import type { ImageSource, PreviewSettings, UploadedPicture } from '../lookup.ts'
import { collectLinks, type FoundLink } from '../previews/collect-links.ts'
import { imagePreview, pagePreview, videoPreview } from '../previews/preview-html.ts'
import { isPage, recognizeTarget } from '../previews/recognize.ts'

/** Messages with more distinct link targets get no previews at all. */
export const maxTargets = 5

/** Adds pictures below the paragraph that links to them, and videos and pages at the end of the message. */
export function previewsPlugin(md: Dialect): void {
  md.core.ruler.push('previews', (state) => {
    const settings = getEnv(state).context.previews
    if (!settings?.images && !settings?.pages) return
    const links = collectLinks(getTokens(state))
    if (links.length === 0 || links.length > maxTargets) return
    addPreviews(state, links, settings)
  })
}

function addPreviews(state: CoreState, links: readonly FoundLink[], settings: PreviewSettings): void {
  const { findings } = getEnv(state).write
  const tokens = getTokens(state)
  const afterBlock = new Map<number, string>()
  const removed = new Set<number>()
  let atEnd = ''
  for (const found of links) {
    const { link } = found
    if (link.kind !== 'link') continue
    const target = settings.images ? recognizeTarget(link.href) : undefined
    const page = target ? undefined : settings.pages?.get(link.href)
    if (!target && settings.pages && isPage(link.href)) findings.pageLinks.add(link.href)
    if (target) findings.hasImage = true
    if (target?.kind === 'video') atEnd += videoPreview(link.href, target.id)
    if (page) atEnd += pagePreview(link.href, page)
    if (target?.kind !== 'image') continue
    const source = imageSource(target.src, settings)
    const html = imagePreview(
      link.href,
      link.bare ? undefined : link.label,
      source,
      findPicture(link.href, settings),
    )
    const end = blockEnd(tokens, found.at)
    afterBlock.set(end, (afterBlock.get(end) ?? '') + html)
    if (found.alone && isParagraph(tokens, found.at)) {
      removed.add(found.at)
      findings.links.add(link.href)
    }
  }
  tokens.splice(0, tokens.length, ...withPreviews(tokens, afterBlock, removed, atEnd))
}

function imageSource(url: string, settings: PreviewSettings): ImageSource {
  return settings.imageSource?.(url) ?? { src: url }
}

function findPicture(href: string, { uploads }: PreviewSettings): UploadedPicture | undefined {
  const path = uploads && findUploadPath(href)
  return path === undefined ? undefined : uploads?.get(decodeUploadPath(path))
}

function isParagraph(tokens: readonly BlockToken[], inline: number): boolean {
  return tokens[inline - 1]?.type === 'paragraph_open'
}

/** Returns the token after which a picture is added: the end of its paragraph, heading or table. */
function blockEnd(tokens: readonly BlockToken[], inline: number): number {
  if (!/^t[hd]_/.test(tokens[inline - 1]?.type ?? '')) return inline + 1
  return tokens.findIndex((token, index) => index > inline && token.type === 'table_close')
}

function withPreviews(
  tokens: readonly BlockToken[],
  afterBlock: ReadonlyMap<number, string>,
  removed: ReadonlySet<number>,
  atEnd: string,
): BlockToken[] {
  const result: BlockToken[] = []
  for (const [index, token] of tokens.entries()) {
    if (!removed.has(index) && !removed.has(index - 1) && !removed.has(index + 1)) result.push(token)
    const html = afterBlock.get(index)
    if (html) result.push(createToken('preview', 'div', 0, html))
  }
  if (atEnd !== '') result.push(createToken('preview', 'div', 0, atEnd))
  return result
}
