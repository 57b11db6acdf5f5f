import { ApiError, type api, type ParamsOf, type ResponseOf, type User } from '@oxbow/contract'
import type { Actor } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { findShownUser, listShownUsers } from './queries.ts'
import { type View, viewOwnUser, viewUser } from './views.ts'

type Users = typeof api.users

export async function listUsers(
  app: App,
  actor: Actor,
  asked: ParamsOf<Users['list']>,
): Promise<ResponseOf<Users['list']>> {
  const view = viewFor(actor, asked)
  const members: User[] = []
  for await (const users of listShownUsers(app.db, actor.organization_id, view.withProfile)) {
    for (const user of users) members.push(viewUser(app.config, user, view))
  }
  return { members }
}

export async function getUser(
  app: App,
  actor: Actor,
  asked: ParamsOf<Users['get']>,
): Promise<ResponseOf<Users['get']>> {
  const view = viewFor(actor, asked)
  const user = await findShownUser(
    app.db,
    { organization_id: actor.organization_id, id: asked.user_id },
    view.withProfile,
  )
  if (!user) throw new ApiError('NO_SUCH_USER')
  return { user: viewUser(app.config, user, view) }
}

export async function getOwnUser(app: App, actor: Actor): Promise<ResponseOf<Users['me']>> {
  const user = await findShownUser(
    app.db,
    { organization_id: actor.organization_id, id: actor.user_id },
    true,
  )
  if (!user) throw new ApiError('INVALID_API_KEY')
  // There are no messages yet, so no account has received one.
  return { ...viewOwnUser(app.config, user), max_message_id: -1 }
}

function viewFor(actor: Actor, asked: ParamsOf<Users['list']>): View {
  return {
    viewerRole: actor.role,
    clientComputesAvatars: asked.client_external_avatar,
    withProfile: asked.include_custom_profile_fields,
  }
}
