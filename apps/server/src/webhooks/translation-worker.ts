import { loadService } from '@oxbow/integrations'
import { answerQuestions } from '../platform/answer-questions.ts'
import type { TranslationRequest } from './translate-delivery.ts'
import { translatePayload } from './translate-payload.ts'

answerQuestions(async ({ name, parts, context }: TranslationRequest) => {
  const integration = await loadService(name)
  if (!integration) throw new Error(`integration ${name} does not exist`)
  const translation = translatePayload(integration, parts, context)
  // An error that cannot be cloned would prevent the answer from being sent.
  const { mistake } = translation
  return { ...translation, mistake: mistake instanceof Error ? mistake : mistake && String(mistake) }
})
