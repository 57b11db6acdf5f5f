import { createRenderer, listLanguages, loadHighlighter, loadMathEngine } from '@oxbow/markdown'
import { answerQuestions } from '../answer-questions.ts'
import { buildContext, type MarkdownSource, renderUnlessTooLong } from './markdown.ts'

const [highlight, math] = await Promise.all([loadHighlighter(listLanguages()), loadMathEngine()])
const renderer = createRenderer({ highlight, math })

answerQuestions((source: MarkdownSource) =>
  renderUnlessTooLong(() => renderer.render(source.text, buildContext(source))),
)
