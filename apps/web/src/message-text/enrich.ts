import { formatDateTime, formatShortDateTime } from '../client/formats/dates.ts'
import { ownId, thumbnailFormats } from '../client/store.ts'
import { t } from '../text/t.ts'
import { trustRenderedHtml } from '../text/trusted.ts'
import { emojiGlyph } from './emoji-glyph.ts'

/**
 * Parses the HTML of a message and adds the client's behaviour to it. With `namesEmoji`, emoji
 * remain names such as `:tada:`.
 */
export function renderBody(html: string, { namesEmoji = false } = {}): DocumentFragment {
  const template = document.createElement('template')
  template.innerHTML = trustRenderedHtml(html)
  const { content } = template
  for (const [mark, enrich] of enrichments) if (html.includes(mark)) enrich(content)
  if (!namesEmoji && html.includes('emoji')) enrichEmoji(content)
  return content
}

/**
 * Enrichments, each with a text that occurs in all HTML that needs it. The text is searched first,
 * because most messages are plain and a hundred are opened at once.
 */
const enrichments: readonly [mark: string, enrich: (content: DocumentFragment) => void][] = [
  ['<img ', dropForeignPictures],
  ['<a ', enrichLinks],
  ['<time ', enrichTimes],
  ['user-mention', enrichMentions],
  ['spoiler-block', enrichSpoilers],
  ['message_inline_image', enrichPictures],
  ['codehilite', enrichCode],
  ['<table', enrichTables],
  ['katex', enrichFormulas],
]

const all = <Kind extends Element = HTMLElement>(content: DocumentFragment, selector: string): Kind[] => [
  ...content.querySelectorAll<Kind>(selector),
]

/**
 * Removes pictures of other sites that have no proxied URL yet, as in a preview. The browser must
 * not contact the other site.
 */
function dropForeignPictures(content: DocumentFragment): void {
  for (const picture of all(content, 'img[src]')) {
    const { origin, protocol } = new URL(picture.getAttribute('src') ?? '', location.href)
    if (origin !== location.origin && protocol !== 'data:' && protocol !== 'blob:')
      (picture.closest('.message_inline_image') ?? picture).remove()
  }
}

/** Matches a text that is nothing but the path or the address of an upload. */
const isUploadPath = /^(https?:\/\/[^\s/]+)?\/user_uploads\/\S+$/

/** Makes links to views open in this tab, and all other links in a new tab without access to this one. */
function enrichLinks(content: DocumentFragment): void {
  for (const link of all<HTMLAnchorElement>(content, 'a[href]')) {
    const href = link.getAttribute('href') ?? ''
    const hash = findHash(href)
    // A pasted address of an upload says less than the name of the file.
    if (isUploadPath.test(link.textContent ?? '')) link.textContent = nameOfFile(href) || href
    if (hash !== undefined) link.setAttribute('href', hash)
    else {
      link.target = '_blank'
      link.rel = 'noopener noreferrer'
    }
  }
}

function findHash(href: string): string | undefined {
  if (!URL.canParse(href, location.origin)) return undefined
  const url = new URL(href, location.origin)
  return url.origin === location.origin && url.pathname === '/' && url.hash ? url.hash : undefined
}

function enrichTimes(content: DocumentFragment): void {
  for (const element of all<HTMLTimeElement>(content, 'time[datetime]')) {
    const time = Date.parse(element.dateTime)
    if (Number.isNaN(time)) continue
    element.textContent = formatShortDateTime(time)
    element.title = formatDateTime(time)
  }
}

function enrichMentions(content: DocumentFragment): void {
  for (const mention of all(content, '.user-mention')) {
    const { userId } = mention.dataset
    if (userId === String(ownId.peek()) || userId === '*') mention.classList.add('user-mention-own')
    if (/^\d+$/.test(userId ?? '') && !mention.closest('a')) linkToPerson(mention, userId as string)
  }
}

/** Makes a mention open the card of the person. */
function linkToPerson(mention: HTMLElement, user_id: string): void {
  const link = document.createElement('a')
  link.className = mention.className
  link.href = `#people/${user_id}`
  link.dataset.userId = user_id
  link.dataset.card = user_id
  link.append(...mention.childNodes)
  mention.replaceWith(link)
}

function enrichEmoji(content: DocumentFragment): void {
  for (const emoji of all(content, 'span.emoji')) {
    const code = /emoji-([0-9a-f-]+)/.exec(emoji.className)?.[1]
    const glyph = code && emojiGlyph(code)
    if (glyph) emoji.textContent = glyph
  }
}

function enrichSpoilers(content: DocumentFragment): void {
  for (const block of all(content, '.spoiler-block')) {
    const head = block.querySelector<HTMLElement>(':scope > .spoiler-header')
    const body = block.querySelector<HTMLElement>(':scope > .spoiler-content')
    if (!head || !body) continue
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'spoiler-button'
    button.setAttribute('aria-expanded', 'false')
    button.textContent = head.textContent?.trim() || t('message.spoiler')
    head.replaceChildren(button)
    body.hidden = true
    body.removeAttribute('aria-hidden')
  }
}

/** Gives pictures frames of a fixed height, so that the layout does not shift when they arrive. */
function enrichPictures(content: DocumentFragment): void {
  for (const frame of all(content, '.message_inline_image')) {
    const picture = frame.querySelector('img')
    if (!picture) continue
    picture.loading = 'lazy'
    picture.decoding = 'async'
    picture.referrerPolicy = 'no-referrer'
    const link = frame.querySelector('a')
    picture.alt = link?.title || nameOfFile(link?.getAttribute('href') ?? '')
    const [width, height] = (picture.dataset.originalDimensions ?? '').split('x').map(Number)
    if (width && height) picture.style.aspectRatio = `${width} / ${height}`
    loadThumbnail(picture)
  }
  for (const frames of all(content, '.message_inline_image')) {
    if (frames.previousElementSibling?.classList.contains('message_pictures')) {
      frames.previousElementSibling.append(frames)
      continue
    }
    const group = document.createElement('div')
    group.className = 'message_pictures'
    frames.replaceWith(group)
    group.append(frames)
  }
}

/** Makes an uploaded picture load its thumbnail, and the original only if it has none. */
function loadThumbnail(picture: HTMLImageElement): void {
  const original = picture.getAttribute('src') ?? ''
  const isAnimated = picture.dataset.animated === 'true'
  const format = thumbnailFormats.peek()?.find(({ animated }) => animated === isAnimated)
  if (!format || !/\/user_uploads\/\d+\//.test(original)) return
  picture.dataset.srcFullsize = original
  picture.src = `${original.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${format.name}`
  picture.addEventListener(
    'error',
    () => {
      picture.src = original
    },
    { once: true },
  )
}

const nameOfFile = (href: string): string => {
  const name = href.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function enrichCode(content: DocumentFragment): void {
  for (const block of all(content, '.codehilite')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'code-copy'
    button.textContent = t('message.copy')
    block.append(button)
    // Long lines scroll horizontally; the keyboard must be able to scroll them too.
    const pre = block.querySelector('pre')
    if (pre) {
      pre.tabIndex = 0
      pre.setAttribute('role', 'group')
      pre.setAttribute('aria-label', block.dataset.codeLanguage ?? t('message.code'))
    }
  }
}

function enrichTables(content: DocumentFragment): void {
  for (const table of all(content, 'table')) {
    const frame = document.createElement('div')
    frame.className = 'message_table'
    frame.tabIndex = 0
    frame.setAttribute('role', 'group')
    frame.setAttribute('aria-label', t('message.table'))
    table.replaceWith(frame)
    frame.append(table)
  }
}

function enrichFormulas(content: DocumentFragment): void {
  if (content.querySelector('.katex')) void import('@oxbow/markdown/katex.css')
}

/** Handles a click on an enriched element. Returns whether the click was handled. */
export function handleBodyClick(target: Element): boolean {
  const spoiler = target.closest<HTMLElement>('.spoiler-button')
  if (spoiler) {
    const body = spoiler.closest('.spoiler-block')?.querySelector<HTMLElement>(':scope > .spoiler-content')
    if (!body) return false
    body.hidden = !body.hidden
    spoiler.setAttribute('aria-expanded', String(!body.hidden))
    return true
  }
  const copy = target.closest<HTMLElement>('.code-copy')
  if (copy) {
    void copyCode(copy)
    return true
  }
  return false
}

async function copyCode(button: HTMLElement): Promise<void> {
  const code = button.parentElement?.querySelector('code')?.textContent ?? ''
  try {
    await navigator.clipboard.writeText(code.replace(/\n$/, ''))
    button.textContent = t('message.copied')
  } catch {
    button.textContent = t('message.copy_failed')
  }
  setTimeout(() => {
    button.textContent = t('message.copy')
  }, 2_000)
}
