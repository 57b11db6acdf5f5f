import { z } from 'zod'
import { anything, integration, type Outcome, refuse, type Signed, timedHmac } from '../../writing.ts'
import { translateEvent } from './event.ts'
import { translateForm } from './form.ts'

export const service = integration({
  title: 'Slack',
  client: 'Slack',
  category: 'Communication',
  signature: timedHmac('X-Slack-Signature', { read: readSignature }),
  body: { kind: 'json or form' },
  ignoresBadJson: true,
  options: {
    stream: z.string().default('slack'),
    channels_map_to_topics: z.string().default('1'),
  },
  deliveryId: (payload) => z.string().safeParse(payload.event_id).data,
  payload: anything,
  translate({ payload, options: { stream, channels_map_to_topics } }): Outcome {
    if (!['0', '1'].includes(channels_map_to_topics))
      return refuse('Error: channels_map_to_topics parameter other than 0 or 1')
    const chooseDestination = (channel: string) =>
      channels_map_to_topics === '1'
        ? { stream, topic: `channel: ${channel}` }
        : { stream: channel, topic: 'Message from Slack' }
    const isEvent = typeof payload.type === 'string'
    return isEvent ? translateEvent(payload, chooseDestination) : translateForm(payload, chooseDestination)
  },
})

/** Reads the signature `v0=<hex>`, an HMAC of `v0:<seconds>:<body>`. */
function readSignature({ signature, header }: Signed) {
  const seconds = header('X-Slack-Request-Timestamp') ?? ''
  return {
    sentAt: Number(seconds) * 1000,
    before: `v0:${seconds}:`,
    signatures: [signature.replace(/^v0=/, '')],
  }
}
