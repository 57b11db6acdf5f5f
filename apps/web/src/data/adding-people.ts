import { decideByPolicy, permissionRules } from '@oxbow/contract/plain'
import { addingPolicy, isAdministrator, isGuest, ownId, users, waitingDays } from './store.ts'

/** Returns why the account may not add other people to streams; undefined if it may. Reads signals. */
export function findAddingObstacle(): string | undefined {
  const own = users.value?.find(({ user_id }) => user_id === ownId.value)
  const { allowed, rule } = decideByPolicy(addingPolicy.value ?? 1, waitingDays.value ?? 0, {
    is_admin: isAdministrator.value ?? false,
    is_guest: isGuest.value ?? false,
    date_joined: own?.date_joined ?? '',
  })
  return allowed ? undefined : permissionRules[rule]
}
