import { z } from 'zod'
import {
  bodyHmac,
  bold,
  code,
  integration,
  link,
  optional,
  paragraphs,
  postMessages,
  text,
  url,
} from '../../writing.ts'
import { condition, describeConditions } from './conditions.ts'

export const service = integration({
  title: 'SonarQube',
  client: 'Sonarqube',
  category: 'Continuous integration',
  signature: bodyHmac('X-Sonar-Webhook-HMAC-SHA256'),
  events: ['success', 'error'],
  payload: z.object({
    project: z.object({ name: text, url: optional(url) }),
    branch: optional(z.object({ name: text })),
    qualityGate: z.object({ status: text, conditions: optional(z.array(condition)) }),
  }),
  translate({ payload: { project, branch, qualityGate } }) {
    const isGood = qualityGate.status === 'OK'
    const branchText = branch ? `, branch ${code(branch.name)},` : ''
    const news = `${link(project.name, project.url)}${branchText} ${bold(isGood ? 'passed' : 'failed')} its quality gate`
    const conditions = describeConditions(qualityGate.conditions ?? [])
    return postMessages({
      event: isGood ? 'success' : 'error',
      topic: branch ? `${project.name} / ${branch.name}` : project.name,
      content: paragraphs(`${news}${conditions ? ':' : '.'}`, conditions),
    })
  },
})
