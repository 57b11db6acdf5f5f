import type { Feature } from '../feature.ts'
import { uploadPages } from './pages.ts'
import { thumbnailReferences, uploadFileReferences } from './queries.ts'
import { expireUploads, removeAbandonedUploads, removeUploadFilesJob } from './remove-files.ts'
import { uploadRoutes } from './routes.ts'

/** Uploaded files: upload, download, attachments and expiry. */
export const uploadsFeature = {
  routes: { uploads: uploadRoutes },
  pages: uploadPages,
  jobs: [removeUploadFilesJob, expireUploads, removeAbandonedUploads],
  files: { required: [uploadFileReferences], derived: [thumbnailReferences] },
  fileFolders: ['uploads'],
} satisfies Feature
