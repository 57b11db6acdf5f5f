import type { RightHolder, Role } from '@oxbow/contract'

/** Whether a user is subscribed to a stream, was subscribed before, or never was. */
export type Membership = 'in' | 'left' | 'never'

/** The properties of a user that `access.ts` evaluates. */
export interface Viewer {
  role: Role
  membership: Membership
}

/** An account on whose properties rights depend. */
interface Holder extends Viewer, Pick<RightHolder, 'id' | 'isNew' | 'groups'> {}

/** The account that posts, and for a bot its owner. */
export interface Poster extends Holder {
  owner?: Holder
}
