import { ApiError } from '@oxbow/contract'

/** Case and blanks count, as they do where a message names the group. */
export function checkGroupName(name: string): string {
  if (name.trim() === '') throw new ApiError('USER_GROUP_NAME_EMPTY')
  return name
}
