import { allowedAttributes } from '../element.ts'
import { allowedMathAttributes } from '../math/math-html.ts'
import { getAttribute, readHtml } from './read-html.ts'

const plainElements = new Set(
  'blockquote br code del div em h1 h2 h3 h4 h5 h6 hr li ol p pre span strong table tbody td th thead time tr ul'.split(
    ' ',
  ),
)
/** Deeper nesting than the renderer writes. Formulas nest deepest: their HTML has at most 40,000 characters. */
const maxDepth = 2_000

/** The form in which this package writes opening tags. `rewritePictures` finds sources only in this form. */
const openingTag = /^<[a-z][a-z0-9-]*(?: [A-Za-z][\w:-]*(?:="[^"]*")?)*>$/
const attribute = / ([A-Za-z][\w:-]*)(?:="([^"]*)")?/g
/** Attributes of the only element with a picture in its style, in the order in which they are written. */
const embeddedImage = /^ class="message_embed_image" href="[^"]*" style="[^"]*"$/

/** A relative URL whose first segment cannot be read as a scheme, even if it contains entities. */
const relativeUrl = /^(?:[#?]|\/(?![/\\&\s])|[\w~%-][\w~%.!$'()*+,;=@-]*(?:[/?#]|$))/
const linkTarget = /^(?:(?:https?|ftp):\/\/[^/?#\\]|(?:mailto|file|bitcoin):)/i
const pictureSource = /^https?:\/\/[^/?#\\]/i
const background = /^background-image: url\((?:https?:\/\/|\/(?![/\\]))(?:&amp;|[^()'"\\<>;{}\s&])*\)$/
/** Classes that the renderer writes outside of formulas. Clients give other names a meaning, such as that of a button. */
const dialectClasses = new Set(
  (
    'codehilite data-container emoji highlight_text_deleted highlight_text_inserted katex katex-display ' +
    'message_embed message_embed_description message_embed_image message_embed_title message_inline_image silent ' +
    'spoiler-block spoiler-content spoiler-header stream stream-topic tex-error timestamp-error ' +
    'user-group-mention user-mention youtube-video'
  ).split(' '),
)
/** Short names of Pygments for parts of code, and codes of emoji. */
const shortClass = /^(?:[a-z]{1,2}[a-z0-9]?|emoji-[0-9a-f-]+)$/
/** KaTeX's own names, of which there are some hundred; names of the web client's parts begin with a capital letter. */
const mathClass = /^[a-z][a-z0-9_-]*$/
/** Names that the web client adds to rendered HTML, with a meaning that this package never gives. */
const clientClasses = new Set([
  'code-copy',
  'message_pictures',
  'message_table',
  'spoiler-button',
  'user-mention-own',
])
/** Each text matches in at most one way, so that a long style cannot make the expression slow. */
const mathStyle = /^(?:[a-z-]+ ?: ?(?:calc\(100% - [\d.]+em\)|[\w.%#,-][\w\s.%#,-]*)(?:; ?|$))*$/

/**
 * Returns whether this package could have written the HTML: only elements and attributes of its lists, all of
 * them closed, and only links and pictures that its renderer allows. Use it for rendered HTML from elsewhere.
 */
export function isRenderedHtml(html: string): boolean {
  const open: string[] = []
  /** Number of open elements when the formula began in which the current piece is; 0 outside of formulas. */
  let formula = 0
  for (const piece of readHtml(html)) {
    if (piece.kind === 'text') {
      if (piece.source === '<') return false
      continue
    }
    if (piece.kind === 'close') {
      if (open.pop() !== piece.name) return false
      if (open.length < formula) formula = 0
      continue
    }
    const { source, name, attributes, isVoid } = piece
    if (!openingTag.test(source) || !isAllowedTag(name, attributes)) return false
    const classes = getAttribute(attributes, 'class')?.split(/\s+/) ?? []
    if (!classes.every((cssClass) => isAllowedClass(cssClass, formula > 0))) return false
    if (isVoid) continue
    if (open.push(name) > maxDepth) return false
    if (formula === 0 && classes.includes('katex')) formula = open.length
  }
  return open.length === 0
}

function isAllowedClass(cssClass: string, isInFormula: boolean): boolean {
  if (cssClass === '' || dialectClasses.has(cssClass) || shortClass.test(cssClass)) return true
  return isInFormula && mathClass.test(cssClass) && !clientClasses.has(cssClass)
}

function isAllowedTag(name: string, attributes: string): boolean {
  const own = Object.hasOwn(allowedAttributes, name) ? allowedAttributes[name] : undefined
  const mathAttributes = Object.hasOwn(allowedMathAttributes, name) ? allowedMathAttributes[name] : undefined
  if (!own && !mathAttributes && !plainElements.has(name)) return false
  for (const [, key = '', value = ''] of attributes.matchAll(attribute)) {
    const isMeaningless = key === 'aria-hidden'
    if (!isMeaningless && !own?.includes(key) && !mathAttributes?.includes(key)) return false
    if (name === 'a' && key === 'style' && !embeddedImage.test(attributes)) return false
    if (!isAllowedValue(name, key, value)) return false
  }
  return true
}

function isAllowedValue(element: string, key: string, value: string): boolean {
  switch (key) {
    case 'href':
      return linkTarget.test(value) || relativeUrl.test(value)
    case 'src':
    case 'data-src-fullsize':
      return pictureSource.test(value) || relativeUrl.test(value)
    case 'style':
      return element === 'a' ? background.test(value) : isMathStyle(value)
    case 'role':
      return value === 'img'
    default:
      return true
  }
}

/** Formulas are laid out inside their line, so nothing in them has a position on the page. */
const isMathStyle = (style: string): boolean =>
  mathStyle.test(style) && !/position ?: ?(?!relative)|z-index/.test(style)
