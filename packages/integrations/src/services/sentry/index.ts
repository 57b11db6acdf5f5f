import { anything, bodyHmac, ignore, integration, optional, text, unsupported } from '../../writing.ts'
import { translateEvent } from './event.ts'
import { issueActions, translateIssue } from './issue.ts'
import { translatePlugin } from './plugin.ts'

export const service = integration({
  title: 'Sentry',
  client: 'Sentry',
  category: 'Monitoring',
  signature: bodyHmac('Sentry-Hook-Signature'),
  deliveryId: { header: 'Request-ID' },
  eventHeader: { name: 'Sentry-Hook-Resource', isOptional: true },
  events: ['event', 'error', ...issueActions.map((action) => `issue_${action}`), 'plugin'],
  payload: anything.extend({ action: optional(text), data: anything.optional() }),
  translate({ payload, event: resource }) {
    const { data } = payload
    if (data === undefined) return translatePlugin(payload)
    if ('event' in data) return translateEvent(payload, 'event')
    if ('error' in data) return translateEvent(payload, 'error')
    if ('issue' in data && !('comment' in data)) return translateIssue(payload)
    if ('installation' in data) return ignore()
    return unsupported(resource || Object.keys(data)[0] || 'unknown')
  },
})
