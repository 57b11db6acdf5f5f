import { createRenderer, listLanguages, loadHighlighter, loadMathEngine } from '@oxbow/markdown'
import { serveParentThread } from '../threads/serve-parent-thread.ts'
import { buildContext, type MarkdownSource, renderUnlessTooLong } from './markdown.ts'

const [highlight, math] = await Promise.all([loadHighlighter(listLanguages()), loadMathEngine()])
const renderer = createRenderer({ highlight, math })

serveParentThread((source: MarkdownSource) =>
  renderUnlessTooLong(() => renderer.render(source.text, buildContext(source))),
)
