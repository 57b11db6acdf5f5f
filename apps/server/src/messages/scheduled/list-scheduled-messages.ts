import type { api, ResponseOf } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { InPieces } from '../../platform/pieces.ts'
import { listScheduledMessages } from './queries.ts'
import { scheduledMessagesToJson } from './views.ts'

type List = typeof api.scheduledMessages.list

export async function listOwnScheduledMessages(app: App, actor: Actor): Promise<InPieces<ResponseOf<List>>> {
  const rows = await listScheduledMessages(app.db, actor)
  return { scheduled_messages: await scheduledMessagesToJson(app, actor.organization_id, rows) }
}
