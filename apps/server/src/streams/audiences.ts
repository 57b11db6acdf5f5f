import { Role } from '@oxbow/contract'
import type { Audience } from '../events/record.ts'
import type { StreamRow } from '../platform/database/tables.ts'

/** The rules of `access.ts`, as the header of a record can say them. */
type Told = Pick<StreamRow, 'id' | 'invite_only'>

export const administrators = [Role.owner, Role.administrator] as const
export const notGuests = [Role.owner, Role.administrator, Role.member] as const

/** Who sees a stream without ever having been in it. */
export const openTo = ({ invite_only }: Pick<Told, 'invite_only'>) =>
  invite_only ? administrators : notGuests

/** Everyone who may see the stream: `maySee`. */
export function whoSees(stream: Told): Audience {
  return { roles: openTo(stream), stream: stream.id, former: true }
}

/** Everyone who may know who is in it: `mayListMembers`. */
export function whoSeesMembers(stream: Told): Audience {
  return { roles: openTo(stream), stream: stream.id }
}

/** Those from whom a stream that was public is hidden when it becomes private. */
export function whoLosesSight({ id }: Told): Audience {
  return { roles: [Role.member], unless: { stream: id, former: true } }
}

/** Those who could not see a private stream or who is in it, or whose list of streams did not have it. */
export function whoGainsSight({ id }: Told): Audience {
  return { roles: notGuests, unless: { stream: id } }
}
