import { findAlertWords } from './alert-words.ts'
import type { RenderEnv } from './block-state.ts'
import { getTokens } from './block-token.ts'
import { createDialect } from './dialect.ts'
import { createFindings, listUploads } from './findings.ts'
import { highlightBudgetPerMessage } from './highlight/highlight-cost.ts'
import type { Highlighter } from './highlight/highlighter.ts'
import { linkifierStepsPerMessage } from './linkifiers/match.ts'
import type { RenderContext } from './lookup.ts'
import type { MathEngine } from './math/engine.ts'
import { mathBudgetFor } from './math/write-math.ts'
import { writeHtml } from './write-html.ts'

export type Engines = { highlight?: Highlighter | undefined; math?: MathEngine | undefined }

export type Rendered = {
  html: string
  /** Ids of people with a mention that is not silent. The caller adds the members of mentioned groups. */
  mentionedUserIds: number[]
  mentionedGroupIds: number[]
  mentionsWildcard: boolean
  /** Distinct link targets as written in the HTML, including links to streams. */
  links: string[]
  /** Targets of links to pages that may be previewed, if `previews.pages` was passed. */
  pageLinks: string[]
  hasImage: boolean
  /** Paths after `/user_uploads/` that the text links to. */
  uploads: string[]
  /** The words of `context.alertWords` that the source contains. */
  alertWords: string[]
  isMeMessage: boolean
  /** Formulas and code languages that were shown as source because their engine is not loaded. */
  missing: { math: boolean; languages: string[] }
}

export type Renderer = { render(text: string, context?: RenderContext): Rendered }

export const maxHtmlCharacters = 100_000

export class HtmlTooLongError extends Error {
  constructor(limit: number) {
    super(`rendered HTML is longer than ${limit} characters`)
  }
}

export function createRenderer(engines: Engines = {}): Renderer {
  const dialect = createDialect()
  return {
    render(text, context = {}) {
      const findings = createFindings()
      const maxHtml = context.maxHtmlCharacters ?? maxHtmlCharacters
      const env: RenderEnv = {
        context,
        write: { findings, math: engines.math, mathBudget: mathBudgetFor(maxHtml) },
        budget: { linkifierSteps: linkifierStepsPerMessage },
        highlight: engines.highlight,
        highlightBudget: highlightBudgetPerMessage,
        fencesAllowed: true,
        listsFollowText: true,
        depth: 0,
      }
      const html = writeHtml(getTokens({ tokens: dialect.parse(text, env) }), env)
      if (html.length > maxHtml) throw new HtmlTooLongError(maxHtml)
      return {
        html,
        mentionedUserIds: [...findings.mentionedUserIds],
        mentionedGroupIds: [...findings.mentionedGroupIds],
        mentionsWildcard: findings.mentionsWildcard,
        links: [...findings.links],
        pageLinks: [...findings.pageLinks],
        hasImage: findings.hasImage,
        uploads: listUploads(findings.links),
        alertWords: findAlertWords(text, context.alertWords ?? new Set()),
        isMeMessage: text.startsWith('/me '),
        missing: { math: findings.missingMath, languages: [...findings.missingLanguages] },
      }
    },
  }
}
