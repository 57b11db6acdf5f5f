import { createRenderer, listLanguages, loadHighlighter, loadMathEngine } from '@oxbow/markdown'
import type { MessageText } from '@oxbow/search'

const renderer = createRenderer({
  highlight: await loadHighlighter(listLanguages()),
  math: await loadMathEngine(),
})

/** Builds a message as the server stores it. */
export function messageOf(content: string, topic = 'garden'): MessageText {
  return { topic, content, rendered_content: renderer.render(content, {}).html }
}
