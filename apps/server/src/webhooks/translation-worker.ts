import { loadService } from '@oxbow/integrations'
import { answerQuestions } from '../platform/answer-questions.ts'
import type { TranslationQuestion } from './translate-delivery.ts'
import { translatePayload } from './translate-payload.ts'

answerQuestions(async ({ name, parts, context }: TranslationQuestion) => {
  const integration = await loadService(name)
  if (!integration) throw new Error(`there is no integration ${name}`)
  const translation = translatePayload(integration, parts, context)
  // What cannot be cloned would keep the answer from arriving.
  const { mistake } = translation
  return { ...translation, mistake: mistake instanceof Error ? mistake : mistake && String(mistake) }
})
