import { eventSchema } from '../events/event-schema.ts'

/** The list of invitations changed. Clients that show the list have to fetch it again. */
export const invitesChangedEvent = eventSchema('invites_changed', {})
