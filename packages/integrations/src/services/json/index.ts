import { z } from 'zod'
import {
  anything,
  codeBlock,
  ignore,
  integration,
  line,
  type Outcome,
  postMessages,
  refuse,
} from '../../writing.ts'
import { prettyJson } from './pretty.ts'
import { TemplateError } from './template/parse.ts'
import { describePosition } from './template/position.ts'
import { renderTemplate } from './template/render.ts'

const template = z.string().max(4_000).optional()

export const service = integration({
  title: 'JSON',
  client: 'JSON',
  category: 'Automation',
  options: { template, topic_template: template },
  payload: anything,
  translate({ payload, options }): Outcome {
    try {
      const topic = fill('topic_template', options.topic_template, payload)
      const content = fill('template', options.template, payload)
      // An empty result is not an error: a section around the whole template can skip payloads.
      if (content === '') return ignore()
      return postMessages({
        topic: line(topic || 'JSON'),
        content: content ?? codeBlock(prettyJson(payload), 'json'),
      })
    } catch (error) {
      if (error instanceof BadTemplate) return refuse(error.message)
      throw error
    }
  },
})

class BadTemplate extends Error {}

function fill(option: string, template: string | undefined, payload: unknown): string | undefined {
  if (template === undefined || template.trim() === '') return undefined
  try {
    return renderTemplate(template, payload)
  } catch (error) {
    if (error instanceof TemplateError)
      throw new BadTemplate(`${option}, ${describePosition(template, error.at)}: ${error.message}.`)
    throw error
  }
}
