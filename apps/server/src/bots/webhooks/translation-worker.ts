import { loadService } from '@oxbow/integrations'
import { serveParentThread } from '../../platform/threads/serve-parent-thread.ts'
import type { TranslationRequest } from './translate-delivery.ts'
import { translatePayload } from './translate-payload.ts'

serveParentThread(async ({ name, parts, context }: TranslationRequest) => {
  const integration = await loadService(name)
  if (!integration) throw new Error(`integration ${name} does not exist`)
  const translation = translatePayload(integration, parts, context)
  // An error that cannot be cloned could not be sent to the main thread.
  const { mistake } = translation
  return { ...translation, mistake: mistake instanceof Error ? mistake : mistake && String(mistake) }
})
