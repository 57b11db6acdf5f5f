import { createRenderer, listLanguages, loadHighlighter, loadMathEngine } from '@oxbow/markdown'
import { answerQuestions } from '../answer-questions.ts'
import { contextOf, renderUnlessTooLong, type Source } from './markdown.ts'

const [highlight, math] = await Promise.all([loadHighlighter(listLanguages()), loadMathEngine()])
const renderer = createRenderer({ highlight, math })

answerQuestions((source: Source) =>
  renderUnlessTooLong(() => renderer.render(source.text, contextOf(source))),
)
