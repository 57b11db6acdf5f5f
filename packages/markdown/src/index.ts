export { findAlertWords } from './alert-words.ts'
export { diffHtml } from './diff/diff-html.ts'
export { allowedAttributes } from './element.ts'
export { type Emoji, findEmojiByCode, findEmojiCode, listEmoji } from './emoji/emoji.ts'
export { decodeUploadPath } from './findings.ts'
export type { Highlighter } from './highlight/highlighter.ts'
export { listLanguages } from './highlight/language-names.ts'
export { loadHighlighter } from './highlight/load-highlighter.ts'
export { rewritePictures } from './html/rewrite-pictures.ts'
export {
  type CompiledLinkifier,
  compileLinkifier,
  type LinkifierErrors,
  type LinkifierResult,
} from './linkifiers/compile.ts'
export {
  type CustomEmoji,
  createLookup,
  emptyLookup,
  type Group,
  type ImageSource,
  type Lookup,
  type LookupData,
  type PageEmbed,
  type Person,
  type PreviewSettings,
  type RenderContext,
  type Stream,
  type UploadedPicture,
} from './lookup.ts'
export type { MathEngine } from './math/engine.ts'
export { loadMathEngine } from './math/katex-engine.ts'
export { type PlainTextOptions, toPlainText } from './plain-text/to-plain-text.ts'
export { addPagePreviews } from './previews/preview-html.ts'
export { findReferences, type References } from './references.ts'
export {
  createRenderer,
  type Engines,
  HtmlTooLongError,
  maxHtmlCharacters,
  type Rendered,
  type Renderer,
} from './render.ts'
export type { Moment } from './time/moment.ts'
export { parseTime } from './time/parse-time.ts'
export { renderTopicLinks } from './topic-links.ts'
