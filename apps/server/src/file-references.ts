import { emojiFileReferences } from './emoji/queries.ts'
import { organizationPictureReferences } from './organization-pictures/queries.ts'
import type { AllReferences } from './platform/files/check-files.ts'
import { thumbnailReferences, uploadFileReferences } from './uploads/queries.ts'
import { avatarFileReferences } from './users/avatar/queries.ts'

/** Queries for the keys of all files that rows refer to. `oxbow files check` compares them with the store. */
export const fileReferences: AllReferences = {
  required: [avatarFileReferences, emojiFileReferences, organizationPictureReferences, uploadFileReferences],
  derived: [thumbnailReferences],
}
