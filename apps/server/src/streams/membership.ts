import type { Role } from '@oxbow/contract'

/** Whether someone is in a stream, no longer is, or never was. */
export type Membership = 'in' | 'left' | 'never'

/** Someone as far as `access.ts` looks at them. */
export interface Viewer {
  role: Role
  membership: Membership
}

/** Whoever posts, and for a bot its owner. */
export interface Poster extends Viewer {
  isNew: boolean
  owner?: Viewer & { isNew: boolean }
}
