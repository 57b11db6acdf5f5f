import { setImmediate } from 'node:timers/promises'
import { isAdministrator, Role } from '@oxbow/contract'
import type { StateContext, StateSlice } from '../../events/state-slice.ts'
import { displayEmail } from '../../identity/accounts/public-account.ts'
import { listSystemAccounts } from '../../identity/accounts/queries.ts'
import { isSightLimited } from '../../identity/accounts/sight.ts'
import { viewPermissions } from '../../organization/permissions.ts'
import { getOrganization } from '../../organization/queries.ts'
import type { App } from '../../platform/app.ts'
import { JsonList } from '../../platform/pieces.ts'
import {
  findShownUser,
  getOwnAccount,
  listShownUsers,
  listShownUsersInSight,
  type ShownUser,
} from './queries.ts'
import { readSharedUsers } from './shared-users.ts'
import { type ViewOptions, viewAvatar, viewSystemAccount, viewUser } from './views.ts'

export const usersState: StateSlice = {
  types: ['realm_user'],
  async read(context) {
    const { app, actor, db, options } = context
    const organization = await getOrganization(db, actor.organization_id)
    const { enter_sends, ...me } = await getOwnAccount(db, actor)
    const view = {
      // Reads the role in the snapshot of the state, where the queue's events start. The role of
      // the request may be older.
      viewerRole: me.role,
      clientComputesAvatars: options.client_external_avatar,
      withProfile: true,
    }
    return {
      ...(options.user_list_on_demand ? await readOwnUser(context, view) : await readUsers(context, view)),
      cross_realm_bots: (await listSystemAccounts(db)).map((account) => viewSystemAccount(account)),
      user_id: me.id,
      email: displayEmail(app.config, me),
      delivery_email: me.delivery_email,
      full_name: me.full_name,
      ...viewAvatar(app, me),
      is_admin: isAdministrator(me.role),
      is_owner: me.role === Role.owner,
      is_guest: me.role === Role.guest,
      ...viewPermissions(organization, me),
      enter_sends,
    }
  },
}

async function readOwnUser({ app, actor, db }: StateContext, view: ViewOptions) {
  const key = { organization_id: actor.organization_id, id: actor.user_id }
  const user = await findShownUser(db, key, view.withProfile)
  return { realm_users: user ? [viewListedUser(app, user, view)] : [], realm_non_active_users: [] }
}

function viewListedUser(app: App, user: ShownUser, view: ViewOptions) {
  const { is_active: _, ...listed } = viewUser(app, user, view)
  return listed
}

/**
 * Number of users to serialize before yielding to the event loop. Serializing them takes a few
 * milliseconds.
 */
const usersBetweenYields = 250

/**
 * Lists the users whom the caller sees. For large organizations, callers share the serialized lists. Otherwise users are
 * serialized while they are read.
 */
async function readUsers({ app, actor, db }: StateContext, view: ViewOptions) {
  const isLimited = view.viewerRole === Role.guest && (await isSightLimited(db, actor))
  const shared = isLimited
    ? undefined
    : await readSharedUsers(app, db, actor.organization_id, view, 'registered')
  if (shared) return { realm_users: shared[0], realm_non_active_users: shared[1] }
  const [active, others] = [new JsonList(), new JsonList()]
  const pieces = isLimited
    ? listShownUsersInSight(db, actor, view.withProfile)
    : listShownUsers(db, actor.organization_id, view.withProfile)
  for await (const piece of pieces) {
    for (let start = 0; start < piece.length; start += usersBetweenYields) {
      const users = piece.slice(start, start + usersBetweenYields)
      active.add(users.filter((user) => user.is_active).map(show))
      others.add(users.filter((user) => !user.is_active).map(show))
      await setImmediate()
    }
  }
  return { realm_users: active.end(), realm_non_active_users: others.end() }

  function show(user: ShownUser): string {
    return JSON.stringify(viewListedUser(app, user, view))
  }
}
