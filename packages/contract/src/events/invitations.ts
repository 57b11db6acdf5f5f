import type { z } from 'zod'
import { kind } from './kind.ts'

/** The list of invitations is another one now; whoever shows it asks for it again. */
export const invitesChangedEvent = kind('invites_changed', {})
export type InvitesChangedEvent = z.infer<typeof invitesChangedEvent>
