import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { accessMessage } from '../access.ts'
import { getShownMessage } from '../read/list-messages.ts'

type GetRaw = typeof api.messages.getRaw

export async function getRawMessage(
  app: App,
  actor: Actor,
  { message_id, apply_markdown }: ParamsOf<GetRaw>,
): Promise<ResponseOf<GetRaw>> {
  const { content } = await accessMessage(app.db, actor, message_id)
  return { raw_content: content, message: await getShownMessage(app, actor, message_id, apply_markdown) }
}
