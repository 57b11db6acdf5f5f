import { join } from 'node:path'

const folder = join(import.meta.dirname, '..', '..', '..', '..', 'packaging', 'monitoring')
export const rulesFile = join(folder, 'rules.yml')
export const dashboardFile = join(folder, 'dashboard.json')
