import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import { getOrganization } from '../../organization/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { checkText, lengthRuleFor, renderContent } from './message-text.ts'
import { getEmoticonSetting } from './queries.ts'

type Render = typeof api.messages.render

/** Renders a preview of a text without storing it. The text may be as long as that of a message. */
export async function renderText(
  app: App,
  actor: Actor,
  params: ParamsOf<Render>,
): Promise<ResponseOf<Render>> {
  const content = checkText(params.content, lengthRuleFor(actor))
  const organization = await getOrganization(app.db, actor.organization_id)
  const translate_emoticons = await getEmoticonSetting(app.db, actor)
  const settings = { ...organization, translate_emoticons, origin: actor.origin }
  const { html } = await renderContent(app, actor, content, settings)
  return { rendered: html }
}
