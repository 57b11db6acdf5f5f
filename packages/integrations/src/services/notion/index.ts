import { z } from 'zod'
import {
  anything,
  bodyHmac,
  code,
  integration,
  type Outcome,
  optional,
  postMessages,
  read,
  text,
  unsupported,
} from '../../writing.ts'

const setUp = z.object({ verification_token: text })

export const service = integration({
  title: 'Notion',
  client: 'Notion',
  category: 'Project management',
  signature: bodyHmac('X-Notion-Signature', { prefix: 'sha256=' }),
  deliveryId: (payload) => z.string().safeParse(payload.id).data,
  payload: anything,
  translate({ payload }): Outcome {
    const { type } = read(z.object({ type: optional(text) }), payload)
    if (type !== undefined) return unsupported(type)
    const { verification_token } = read(setUp, payload)
    return postMessages({
      topic: 'Verification',
      content: `Give Notion this verification token to finish setting up its webhook: ${code(verification_token)}`,
    })
  },
})
