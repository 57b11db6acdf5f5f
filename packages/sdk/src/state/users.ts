import type { ListedUser, UserEvent, UserId } from '@oxbow/contract'
import { changeOwnAccount } from './own-account.ts'
import { applyPersonChange, getListedAvatarUrl, hidesExternalAvatars } from './person.ts'
import type { RegisterOptions, State } from './state.ts'

export function applyUserEvent(state: State, event: UserEvent, options: RegisterOptions): State {
  if (!state.realm_users || !state.realm_non_active_users) return state
  switch (event.op) {
    case 'add':
      if (options.client_capabilities?.user_list_on_demand && event.person.user_id !== state.user_id)
        return state
      return addPerson(state, event.person, hidesExternalAvatars(state, options))
    case 'remove':
      return event.person.is_hidden
        ? hidePerson(state, event.person.user_id)
        : removePerson(state, event.person.user_id)
    case 'update':
      return changeOwnAccount(changeInLists(state, event, options), event)
    default:
      return state
  }
}

type AddedUser = Extract<UserEvent, { op: 'add' }>['person']

function addPerson(state: State, { is_active: _, ...person }: AddedUser, hides: boolean): State {
  const { realm_users = [], realm_non_active_users = [] } = state
  const listed = { ...person, avatar_url: getListedAvatarUrl(person.avatar_url, hides) }
  return {
    ...state,
    realm_users: [...withoutUser(realm_users, person.user_id), listed].sort(byId),
    realm_non_active_users: withoutUser(realm_non_active_users, person.user_id),
  }
}

/** Removes a person whom this account, a guest, no longer sees. */
function hidePerson(state: State, id: UserId): State {
  const { realm_users = [], realm_non_active_users = [] } = state
  return {
    ...state,
    realm_users: withoutUser(realm_users, id),
    realm_non_active_users: withoutUser(realm_non_active_users, id),
  }
}

function removePerson(state: State, id: UserId): State {
  const { realm_users = [], realm_non_active_users = [] } = state
  const person = realm_users.find(({ user_id }) => user_id === id)
  if (!person) return state
  return {
    ...state,
    realm_users: withoutUser(realm_users, id),
    realm_non_active_users: [...withoutUser(realm_non_active_users, id), person].sort(byId),
  }
}

type UserUpdate = Extract<UserEvent, { op: 'update' }>

function changeInLists(state: State, { person }: UserUpdate, options: RegisterOptions): State {
  const view = {
    hidesExternalAvatars: hidesExternalAvatars(state, options),
    showsDeliveryEmail: person.user_id !== state.user_id || seesDeliveryEmails(state),
  }
  for (const list of ['realm_users', 'realm_non_active_users'] as const) {
    const users = state[list] ?? []
    const index = users.findIndex(({ user_id }) => user_id === person.user_id)
    const user = users[index]
    if (user) return { ...state, [list]: users.with(index, applyPersonChange(user, person, view)) }
  }
  return state
}

const administrators = 3

/** Returns whether the lists contain the delivery addresses of others. Every account gets its own address. */
function seesDeliveryEmails({ realm_users = [], realm_email_address_visibility, is_admin }: State): boolean {
  if (realm_email_address_visibility !== undefined)
    return realm_email_address_visibility === administrators && is_admin === true
  return realm_users.some(({ delivery_email }) => delivery_email !== undefined)
}

function withoutUser(users: ListedUser[], id: UserId): ListedUser[] {
  return users.some(({ user_id }) => user_id === id) ? users.filter(({ user_id }) => user_id !== id) : users
}

const byId = (a: ListedUser, b: ListedUser): number => a.user_id - b.user_id
