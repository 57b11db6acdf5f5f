export * from './alert-words/events.ts'
export * from './alert-words/shape.ts'
export { type Api, api, listEndpoints, type NamedEndpoint } from './api.ts'
export { ApiError, type ErrorBody, type ErrorData } from './api-error.ts'
export * from './bots/events.ts'
export * from './bots/shape.ts'
export * from './domains/events.ts'
export * from './domains/shape.ts'
export * from './drafts/events.ts'
export * from './drafts/shape.ts'
export * from './emoji/events.ts'
export * from './emoji/shape.ts'
export { type ErrorDeclaration, type ErrorName, errors } from './errors.ts'
export * from './events/event.ts'
export * from './events/initial-state.ts'
export * from './exports/events.ts'
export * from './exports/shape.ts'
export * from './hotspots/events.ts'
export * from './hotspots/shape.ts'
export * from './ids.ts'
export * from './invitations/events.ts'
export * from './invitations/shape.ts'
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
export { field } from './kernel/field.ts'
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
export { pick, type Setting, storedAmount } from './kernel/setting.ts'
export { toWire } from './kernel/to-wire.ts'
export * from './linkifiers/events.ts'
export * from './linkifiers/shape.ts'
export * from './messages/conversation.ts'
export * from './messages/events.ts'
export * from './messages/message-page.ts'
export * from './messages/narrow.ts'
export * from './messages/narrow-operators.ts'
export * from './messages/shape.ts'
export * from './messages/unread.ts'
export * from './messages/widget.ts'
export * from './organization/events.ts'
export * from './organization/settings.ts'
export * from './organization/shape.ts'
export * from './permissions/shape.ts'
export * from './plain/index.ts'
export * from './presence/events.ts'
export * from './presence/shape.ts'
export * from './profile-fields/events.ts'
export * from './profile-fields/shape.ts'
export * from './scheduled-messages/events.ts'
export * from './scheduled-messages/shape.ts'
export * from './server/languages.ts'
export * from './sessions/shape.ts'
export * from './settings/events.ts'
export * from './settings/shape.ts'
export * from './streams/events.ts'
export * from './streams/shape.ts'
export * from './subscriptions/events.ts'
export * from './subscriptions/shape.ts'
export * from './typing/events.ts'
export * from './uploads/events.ts'
export * from './uploads/shape.ts'
export * from './user-groups/events.ts'
export * from './user-groups/shape.ts'
export * from './user-status/events.ts'
export * from './user-status/shape.ts'
export * from './users/events.ts'
export * from './users/shape.ts'
export * from './webhooks/shape.ts'
