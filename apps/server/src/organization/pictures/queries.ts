import { sql } from 'kysely'
import type { FileReferences } from '../../platform/files/check-files.ts'
import { pictureKinds } from '../pictures.ts'

const selectKeys = pictureKinds.map(
  (kind) => sql<{ key: string }>`
    select 'organizations/' || id || ${`/${kind}-`} || ${sql.ref(`${kind}_version`)} || '.png' as key
    from organization where ${sql.ref(`${kind}_source`)} = 'uploaded'`,
)

/** Selects the keys of the current icons and logos, as `getPictureKey` builds them. */
export const organizationPictureReferences: FileReferences = sql.join(selectKeys, sql` union all `)
