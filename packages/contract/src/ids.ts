import { z } from 'zod'

/**
 * Ids are branded, so that the compiler rejects an id of the wrong kind. Every id is a safe
 * integer; the database stores ids as bigint. `format` names the kind of the id in the OpenAPI
 * document.
 */
export const organizationId = z.int().meta({ format: 'organization-id' }).brand<'OrganizationId'>()
export type OrganizationId = z.infer<typeof organizationId>

export const userId = z.int().meta({ format: 'user-id' }).brand<'UserId'>()
export type UserId = z.infer<typeof userId>

export const profileFieldId = z.int().meta({ format: 'profile-field-id' }).brand<'ProfileFieldId'>()
export type ProfileFieldId = z.infer<typeof profileFieldId>

export const dataExportId = z.int().meta({ format: 'data-export-id' }).brand<'DataExportId'>()
export type DataExportId = z.infer<typeof dataExportId>

export const linkifierId = z.int().meta({ format: 'linkifier-id' }).brand<'LinkifierId'>()
export type LinkifierId = z.infer<typeof linkifierId>

export const streamId = z.int().meta({ format: 'stream-id' }).brand<'StreamId'>()
export type StreamId = z.infer<typeof streamId>

export const streamFolderId = z.int().meta({ format: 'stream-folder-id' }).brand<'StreamFolderId'>()
export type StreamFolderId = z.infer<typeof streamFolderId>

export const defaultStreamGroupId = z
  .int()
  .meta({ format: 'default-stream-group-id' })
  .brand<'DefaultStreamGroupId'>()
export type DefaultStreamGroupId = z.infer<typeof defaultStreamGroupId>

export const userGroupId = z.int().meta({ format: 'user-group-id' }).brand<'UserGroupId'>()
export type UserGroupId = z.infer<typeof userGroupId>
export const invitationId = z.int().meta({ format: 'invitation-id' }).brand<'InvitationId'>()
export type InvitationId = z.infer<typeof invitationId>

export const messageId = z.int().meta({ format: 'message-id' }).brand<'MessageId'>()
export type MessageId = z.infer<typeof messageId>

export const draftId = z.int().meta({ format: 'draft-id' }).brand<'DraftId'>()
export type DraftId = z.infer<typeof draftId>

export const sessionId = z.int().meta({ format: 'session-id' }).brand<'SessionId'>()
export type SessionId = z.infer<typeof sessionId>

export const scheduledMessageId = z
  .int()
  .meta({ format: 'scheduled-message-id' })
  .brand<'ScheduledMessageId'>()
export type ScheduledMessageId = z.infer<typeof scheduledMessageId>

export const webhookFailureId = z.int().meta({ format: 'webhook-failure-id' }).brand<'WebhookFailureId'>()
export type WebhookFailureId = z.infer<typeof webhookFailureId>

export const uploadId = z.int().meta({ format: 'upload-id' }).brand<'UploadId'>()
export type UploadId = z.infer<typeof uploadId>
