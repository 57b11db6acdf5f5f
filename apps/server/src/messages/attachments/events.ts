import type { Attachment, OrganizationId, UserId } from '@oxbow/contract'
import type { Emission } from '../../events/record.ts'
import type { OwnedUpload } from './queries.ts'

interface Owner {
  organization_id: OrganizationId
  user_id: UserId
}

export const attachmentChanged = (
  { organization_id, user_id }: Owner,
  op: 'add' | 'update',
  attachment: Attachment,
  upload_space_used: number,
): Emission => ({
  organization_id,
  event: { type: 'attachment', op, attachment, upload_space_used },
  to: { users: [user_id] },
})

export const attachmentRemoved = (
  organization_id: OrganizationId,
  { id, owner_id }: OwnedUpload,
  upload_space_used: number,
): Emission => ({
  organization_id,
  event: { type: 'attachment', op: 'remove', attachment: { id }, upload_space_used },
  to: { users: [owner_id] },
})
