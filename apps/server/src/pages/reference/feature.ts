import type { Feature } from '../../feature.ts'
import { listIntegrations } from './integrations/list-integrations.ts'
import { referencePages } from './pages.ts'

/** The list of integrations; the pages /api/docs, /api/openapi.json, /api/markdown, /integrations and /help. */
export const referenceFeature = {
  routes: { webhooks: { listIntegrations } },
  pages: referencePages,
} satisfies Feature
