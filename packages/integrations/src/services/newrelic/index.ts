import { anything, integration, unsupported } from '../../writing.ts'
import { translateAlert } from './alert.ts'
import { translateDeployment } from './deployment.ts'
import { isIssue, translateIssue } from './issue.ts'

export const service = integration({
  title: 'New Relic',
  client: 'NewRelic',
  category: 'Monitoring',
  body: { kind: 'json or form' },
  events: ['alert', 'deployment', 'issue'],
  payload: anything,
  translate({ payload }) {
    if (typeof payload.alert === 'string') return translateAlert(payload.alert)
    if (typeof payload.deployment === 'string') return translateDeployment(payload.deployment)
    return isIssue(payload) ? translateIssue(payload) : unsupported('Unknown Event Type')
  },
})
