import type { api, Decision, ParamsOf } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { OrganizationRow, UserRow } from '../../platform/database/tables.ts'

export type Params = ParamsOf<typeof api.permissions.explain>

export interface Question {
  app: App
  /** The account that asks: `account` itself or an administrator. */
  asker: Actor
  account: UserRow
  organization: OrganizationRow
  params: Params
}

export type ExplanationFacts = Record<string, boolean | number | string | null>

export interface Explanation {
  decision: Decision
  /** Values that the decision depends on, in addition to those of the account. */
  facts?: ExplanationFacts
}

export type Explain = (question: Question) => Explanation | Promise<Explanation>
