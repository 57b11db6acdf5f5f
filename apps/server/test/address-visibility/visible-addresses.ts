import assert from 'node:assert/strict'
import { type Event, isAdministrator, type Role, type UserId } from '@oxbow/contract'

/** A real address of a user. A user who changes the address has several. */
export interface Address {
  user_id: UserId
  email: string
}

export interface Viewer {
  user_id: UserId
  role: Role
}

export const visibility = { everyone: 1, administrators: 3, nobody: 4 } as const
export type Visibility = (typeof visibility)[keyof typeof visibility]

/** Returns whether the viewer may see addresses of other users. Everyone sees their own. */
function maySee({ role }: Viewer, value: number): boolean {
  return value === visibility.everyone || (value === visibility.administrators && isAdministrator(role))
}

/**
 * Fails if a text contains an address that the viewer may not see, except addresses that the viewer
 * sent in the request. Returns how many addresses of other users the text contains.
 */
export function countAddresses(
  received: string,
  viewer: Viewer,
  value: number,
  addresses: readonly Address[],
  { asked = '', about = '' } = {},
): number {
  let visibleCount = 0
  for (const address of addresses) {
    const { email } = address
    if (!received.includes(email) || asked.includes(email) || address.user_id === viewer.user_id) continue
    visibleCount++
    if (maySee(viewer, value)) continue
    const at = received.indexOf(email)
    const words = received.slice(Math.max(0, at - 300), at + 100)
    assert.fail(`${email} is told to ${JSON.stringify(viewer)} under ${value}: ${about} …${words}…`)
  }
  return visibleCount
}

/**
 * Visibility setting and roles at each event id, from which a test decides what a viewer could see
 * when an event was written.
 */
export class Timeline {
  readonly #visibilities: [id: number, value: number][]
  readonly #roles = new Map<number, [id: number, role: Role][]>()

  /**
   * Takes all events of a user who was an owner the whole time, and the visibility setting before
   * the first event.
   */
  constructor(events: readonly Event[], before: number, viewers: readonly Viewer[]) {
    this.#visibilities = [[-1, before]]
    for (const { user_id, role } of viewers) this.#roles.set(user_id, [[-1, role]])
    for (const event of events) {
      if (event.type === 'realm' && event.op === 'update' && event.property === 'email_address_visibility')
        this.#visibilities.push([event.id, Number(event.value)])
      if (event.type === 'realm_user' && event.op === 'update' && 'role' in event.person)
        this.#roles.get(event.person.user_id)?.push([event.id, event.person.role])
    }
  }

  get changes(): number {
    return this.#visibilities.length - 1
  }

  visibilityAt(id: number): number {
    return last(this.#visibilities, id)
  }

  roleAt(user: UserId, id: number): Role {
    return last(this.#roles.get(user) ?? [], id)
  }
}

function last<Value>(entries: readonly [id: number, value: Value][], id: number): Value {
  const entry = entries.findLast(([from]) => from <= id)
  if (!entry) throw new Error(`nothing is known of ${id}`)
  return entry[1]
}
