import { z } from 'zod'
import { anything, bodyHmac, integration, type Outcome } from '../../writing.ts'
import { translateDeploy } from './deploy.ts'
import { translateResource } from './resource.ts'

export const service = integration({
  title: 'Heroku',
  client: 'Heroku',
  category: 'Continuous integration',
  signature: bodyHmac('Heroku-Webhook-Hmac-SHA256', { encoding: 'base64' }),
  body: { kind: 'json or form' },
  ignoresBadJson: true,
  events: ['build', 'deploy', 'release'],
  deliveryId: (payload) => z.string().safeParse(payload.id).data,
  payload: anything,
  translate: ({ payload }): Outcome =>
    payload.resource === undefined ? translateDeploy(payload) : translateResource(payload),
})
