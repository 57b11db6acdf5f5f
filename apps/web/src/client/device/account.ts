import type { UserId } from '@oxbow/contract'

/**
 * The account of this browser's session, from a cookie that the server sets together with the
 * session's cookie.
 */
export interface DeviceAccount {
  readonly user_id: UserId
  /** Whether the person chose to stay signed in, which permits storing data on the device. */
  readonly isTrusted: boolean
}

/** Reads the account from `document.cookie`; undefined if the server did not set it. */
export function readAccount(cookies: string): DeviceAccount | undefined {
  const [, user_id, trusted] =
    /(?:^|;\s*)(?:__Host-)?oxbow-account=([1-9]\d{0,15})(\.trusted)?(?:;|$)/.exec(cookies) ?? []
  return user_id === undefined
    ? undefined
    : { user_id: Number(user_id) as UserId, isTrusted: trusted !== undefined }
}
