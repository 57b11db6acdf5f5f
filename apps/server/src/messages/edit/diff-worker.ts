import { diffHtml } from '@oxbow/markdown'
import { answerQuestions } from '../../platform/answer-questions.ts'
import type { Versions } from './diff-versions.ts'

answerQuestions(({ before, after }: Versions) => diffHtml(before, after))
