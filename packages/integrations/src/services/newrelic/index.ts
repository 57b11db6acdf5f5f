import { anything, integration, unsupported } from '../../writing.ts'
import { tellAlert } from './alert.ts'
import { tellDeployment } from './deployment.ts'
import { isIssue, tellIssue } from './issue.ts'

export const service = integration({
  title: 'New Relic',
  client: 'NewRelic',
  category: 'Monitoring',
  body: { kind: 'json or form' },
  events: ['alert', 'deployment', 'issue'],
  payload: anything,
  translate({ payload }) {
    if (typeof payload.alert === 'string') return tellAlert(payload.alert)
    if (typeof payload.deployment === 'string') return tellDeployment(payload.deployment)
    return isIssue(payload) ? tellIssue(payload) : unsupported('Unknown Event Type')
  },
})
