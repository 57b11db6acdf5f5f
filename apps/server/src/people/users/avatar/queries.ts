import { sql } from 'kysely'
import type { FileReferences } from '../../../platform/files/check-files.ts'

/** Selects the keys of the current avatars, as `avatarKey` builds them. */
export const avatarFileReferences: FileReferences = sql`
  select 'avatars/' || organization_id || '/' || id || '/' || avatar_version || '-' || size || '.png' as key
  from user_account, unnest(array['medium', 'small']) size
  where avatar_source = 'uploaded'`
