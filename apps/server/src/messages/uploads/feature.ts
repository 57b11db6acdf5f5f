import type { api } from '@oxbow/contract'
import type { Feature } from '../../feature.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { deleteAttachment } from './delete-attachment.ts'
import { getTemporaryLink } from './get-temporary-link.ts'
import { listOwnAttachments } from './list-attachments.ts'
import { uploadPages } from './pages.ts'
import { thumbnailReferences, uploadFileReferences } from './queries.ts'
import { expireUploads, removeAbandonedUploads, removeUploadFilesJob } from './remove-files.ts'
import { uploadFile } from './upload-file.ts'

const uploadRoutes: Routes<typeof api.uploads> = {
  upload: uploadFile,
  getTemporaryLink,
  findTemporaryLink: getTemporaryLink,
  list: listOwnAttachments,
  remove: deleteAttachment,
}

/** Uploaded files: upload, download, attachments and expiry. */
export const uploadsFeature = {
  routes: { uploads: uploadRoutes },
  pages: uploadPages,
  jobs: [removeUploadFilesJob, expireUploads, removeAbandonedUploads],
  files: { required: [uploadFileReferences], derived: [thumbnailReferences] },
  fileFolders: ['uploads'],
} satisfies Feature
