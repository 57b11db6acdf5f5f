import { z } from 'zod'
import {
  anything,
  bodyHmac,
  bold,
  integration,
  type Outcome,
  postMessages,
  read,
  text,
  unsupported,
} from '../../writing.ts'
import { translateBuild } from './build.ts'
import { translateJob, translateWorkflow } from './pipeline.ts'

export const service = integration({
  title: 'CircleCI',
  client: 'CircleCI',
  category: 'Continuous integration',
  signature: bodyHmac('Circleci-Signature', { prefix: 'v1=' }),
  events: ['build', 'job-completed', 'ping', 'workflow-completed'],
  deliveryId: (payload) => z.string().safeParse(payload.id).data,
  payload: anything,
  translate({ payload }): Outcome {
    // Old configurations still use the first version of the webhooks.
    if (payload.payload !== undefined) return translateBuild(payload)
    const { type } = read(z.object({ type: text }), payload)
    if (type === 'workflow-completed') return translateWorkflow(payload)
    if (type === 'job-completed') return translateJob(payload)
    return type === 'ping' ? translatePing(payload) : unsupported(type)
  },
})

function translatePing(payload: unknown): Outcome {
  const { webhook } = read(z.object({ webhook: z.object({ name: text }) }), payload)
  return postMessages({
    event: 'ping',
    topic: 'Test event',
    content: `The webhook ${bold(webhook.name)} of CircleCI is set up.`,
  })
}
