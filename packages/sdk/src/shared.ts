// Exports that both entry points of the package share. The entry points differ in the errors that
// calls throw.
export type { CallOptions } from './call.ts'
export type { Call, CallResult, Client } from './client.ts'
export { EventStreamParser, type ServerSentEvent } from './events/event-stream-parser.ts'
export type { Followed, FollowOptions } from './events/follow.ts'
export type { Follower } from './events/follow-events.ts'
export { type ClientOptions, type Credentials, getRetryAfterMs, TransportError } from './request.ts'
export { applyEvent } from './state/apply-event.ts'
export { type AttachmentList, applyAttachment } from './state/attachments.ts'
export { omitBotSecrets } from './state/bot-secrets.ts'
export { applyReaction } from './state/reactions.ts'
export type { Fetched, RegisterOptions, State } from './state/state.ts'
export { applySubmessage } from './state/submessages.ts'
