import { ApiError } from '@oxbow/contract'

/** Checks a group's name. Case and spaces are significant, as in mentions. */
export function checkGroupName(name: string): string {
  if (name.trim() === '') throw new ApiError('USER_GROUP_NAME_EMPTY')
  return name
}
