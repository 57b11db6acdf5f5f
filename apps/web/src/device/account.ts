/** The account whose session this browser has, as the server wrote it next to the session. */
export interface DeviceAccount {
  readonly user_id: number
  /** Whether the person chose to stay signed in here, which allows to keep data on the device. */
  readonly isTrusted: boolean
}

/** Reads the account from `document.cookie`; undefined if the server has not told it. */
export function readAccount(cookies: string): DeviceAccount | undefined {
  const [, user_id, trusted] =
    /(?:^|;\s*)(?:__Host-)?oxbow-account=([1-9]\d{0,15})(\.trusted)?(?:;|$)/.exec(cookies) ?? []
  return user_id === undefined ? undefined : { user_id: Number(user_id), isTrusted: trusted !== undefined }
}
