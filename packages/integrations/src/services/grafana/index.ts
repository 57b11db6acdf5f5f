import { anything, bodyHmac, integration } from '../../writing.ts'
import { states, tellState } from './classic.ts'
import { tellAlerts } from './unified.ts'

export const service = integration({
  title: 'Grafana',
  client: 'Grafana',
  category: 'Monitoring',
  signature: bodyHmac('X-Grafana-Alerting-Signature'),
  events: ['firing', 'resolved', ...Object.keys(states)],
  payload: anything,
  translate: ({ payload }) => ('alerts' in payload ? tellAlerts(payload) : tellState(payload)),
})
