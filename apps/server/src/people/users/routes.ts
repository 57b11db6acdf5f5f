import type { api } from '@oxbow/contract'
import type { Routes } from '../../platform/http/bind.ts'
import { clearAvatar, setAvatar } from './avatar/change-avatar.ts'
import { createUser } from './create-user.ts'
import { deactivateOwnUser, deactivateUser } from './deactivate-user.ts'
import { listDirectory } from './directory.ts'
import { clearOwnProfileData, setOwnProfileData } from './profile-values.ts'
import { reactivateUser } from './reactivate-user.ts'
import { getOwnUser, getUser, getUserByEmail, listUsers } from './read-users.ts'
import { regenerateApiKey } from './regenerate-api-key.ts'
import { updateSettings } from './update-settings.ts'
import { updateUser } from './update-user.ts'

/** `erase` is in the feature `erasure`, which depends on all features that have data of users. */
export const userRoutes: Omit<Routes<typeof api.users>, 'erase'> = {
  list: listUsers,
  directory: listDirectory,
  get: getUser,
  getByEmail: getUserByEmail,
  me: getOwnUser,
  create: createUser,
  update: updateUser,
  deactivate: deactivateUser,
  reactivate: reactivateUser,
  deactivateMe: deactivateOwnUser,
  regenerateApiKey,
  setProfileData: setOwnProfileData,
  clearProfileData: clearOwnProfileData,
  updateSettings,
  setAvatar,
  clearAvatar,
}
