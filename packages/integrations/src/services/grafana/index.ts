import { anything, bodyHmac, integration } from '../../writing.ts'
import { states, translateState } from './classic.ts'
import { translateAlerts } from './unified.ts'

export const service = integration({
  title: 'Grafana',
  client: 'Grafana',
  category: 'Monitoring',
  signature: bodyHmac('X-Grafana-Alerting-Signature'),
  events: ['firing', 'resolved', ...Object.keys(states)],
  payload: anything,
  translate: ({ payload }) => ('alerts' in payload ? translateAlerts(payload) : translateState(payload)),
})
