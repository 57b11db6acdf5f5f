import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { deleteAttachment } from './delete-attachment.ts'
import { getTemporaryLink } from './get-temporary-link.ts'
import { listOwnAttachments } from './list-attachments.ts'
import { uploadFile } from './upload-file.ts'

export const uploadRoutes: Routes<typeof api.uploads> = {
  upload: uploadFile,
  getTemporaryLink,
  findTemporaryLink: getTemporaryLink,
  list: listOwnAttachments,
  remove: deleteAttachment,
}
