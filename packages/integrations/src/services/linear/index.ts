import { anything, bodyHmac, ignore, integration, text, unsupported } from '../../writing.ts'
import { translateComment } from './comment.ts'
import { actions, translateIssue } from './issue.ts'

const quietTypes = new Set(['IssueLabel', 'Project', 'ProjectUpdate', 'Cycle', 'Reaction'])

export const service = integration({
  title: 'Linear',
  client: 'Linear',
  category: 'Project management',
  signature: bodyHmac('Linear-Signature'),
  deliveryId: { header: 'Linear-Delivery' },
  events: ['issue', 'comment'].flatMap((type) => actions.map((action) => `${type}_${action}`)),
  payload: anything.extend({ type: text, action: text }),
  translate({ payload, hasTopic }) {
    const { type } = payload
    if (quietTypes.has(type)) return ignore()
    const action = actions.find((action) => action === payload.action)
    if (action && type === 'Issue') return translateIssue(payload, action, hasTopic)
    if (action && type === 'Comment') return translateComment(payload, action)
    return unsupported(`${type}:${payload.action}`)
  },
})
