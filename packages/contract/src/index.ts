export { type Api, api, listEndpoints, type NamedEndpoint } from './api.ts'
export { ApiError, type ErrorBody, type ErrorData } from './api-error.ts'
export { type ErrorDeclaration, type ErrorName, errors } from './errors.ts'
export * from './events/alert-words.ts'
export * from './events/attachments.ts'
export * from './events/bots.ts'
export * from './events/data-exports.ts'
export * from './events/domains.ts'
export * from './events/drafts.ts'
export * from './events/emoji.ts'
export * from './events/event.ts'
export * from './events/hotspots.ts'
export * from './events/invitations.ts'
export * from './events/linkifiers.ts'
export * from './events/messages.ts'
export * from './events/organization.ts'
export * from './events/presence.ts'
export * from './events/profile-fields.ts'
export * from './events/scheduled-messages.ts'
export * from './events/settings.ts'
export * from './events/streams.ts'
export * from './events/subscriptions.ts'
export * from './events/typing.ts'
export * from './events/user-groups.ts'
export * from './events/user-status.ts'
export * from './events/users.ts'
export * from './ids.ts'
export { type DecodeOptions, decode, type RawRequest } from './kernel/decode.ts'
export {
  type ArgumentsOf,
  type Auth,
  type CallerRule,
  callerErrors,
  type Endpoint,
  endpoint,
  type IsStreamed,
  isIdempotent,
  listRaisableErrors,
  type Params,
  type ParamsOf,
  type ResponseOf,
} from './kernel/endpoint.ts'
export * from './kernel/files.ts'
export {
  type CommonResponseFields,
  commonResponseFields,
  listIgnoredParameters,
} from './kernel/ignored-parameters.ts'
export { parseJson } from './kernel/json-text.ts'
export * from './kernel/params.ts'
export { parseOrRefuse } from './kernel/parse-or-refuse.ts'
export * from './kernel/schemas.ts'
export { toWire } from './kernel/to-wire.ts'
export * from './plain/index.ts'
export * from './shapes/alert-words.ts'
export * from './shapes/attachment.ts'
export * from './shapes/bot.ts'
export * from './shapes/conversation.ts'
export * from './shapes/custom-emoji.ts'
export * from './shapes/data-export.ts'
export * from './shapes/domain.ts'
export * from './shapes/draft.ts'
export * from './shapes/hotspot.ts'
export * from './shapes/initial-state.ts'
export * from './shapes/invitation.ts'
export * from './shapes/languages.ts'
export * from './shapes/linkifier.ts'
export * from './shapes/message.ts'
export * from './shapes/message-page.ts'
export * from './shapes/narrow.ts'
export * from './shapes/narrow-operators.ts'
export * from './shapes/organization.ts'
export * from './shapes/permission.ts'
export * from './shapes/presence.ts'
export * from './shapes/profile-field.ts'
export * from './shapes/scheduled-message.ts'
export * from './shapes/session.ts'
export * from './shapes/settings.ts'
export * from './shapes/stream.ts'
export * from './shapes/subscription.ts'
export * from './shapes/unread.ts'
export * from './shapes/user.ts'
export * from './shapes/user-group.ts'
export * from './shapes/user-status.ts'
export * from './shapes/webhook-failure.ts'
export * from './shapes/widget.ts'
