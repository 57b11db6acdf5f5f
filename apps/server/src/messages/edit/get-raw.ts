import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { accessMessage } from '../access.ts'

type GetRaw = typeof api.messages.getRaw

export async function getRawMessage(
  { db }: App,
  actor: Actor,
  { message_id }: ParamsOf<GetRaw>,
): Promise<ResponseOf<GetRaw>> {
  const { content } = await accessMessage(db, actor, message_id)
  return { raw_content: content }
}
