import { type RawBuilder, sql } from 'kysely'
import { isReadable, joinOwn, type Reader } from '../visibility.ts'

/**
 * SQL condition on a row `u` of upload: the reader may read the file. Its owner may, and everyone who
 * may see now at least one message that refers to it. Every way to a file is decided by this
 * condition.
 */
export const canReadUpload = (reader: Reader): RawBuilder<boolean> => sql<boolean>`
  (u.owner_id = ${reader.user_id} or exists (
    select from upload_claim c
    join message m on m.organization_id = c.organization_id and m.id = c.message_id ${joinOwn(reader)}
    where c.organization_id = u.organization_id and c.upload_id = u.id and ${isReadable(reader)}))`
