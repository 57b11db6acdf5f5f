import type { Role } from '@oxbow/contract'

/** Whether a user is subscribed to a stream, was subscribed before, or never was. */
export type Membership = 'in' | 'left' | 'never'

/** The properties of a user that `access.ts` evaluates. */
export interface Viewer {
  role: Role
  membership: Membership
}

/** The account that posts, and for a bot its owner. */
export interface Poster extends Viewer {
  isNew: boolean
  owner?: Viewer & { isNew: boolean }
}
