import { type RawBuilder, sql } from 'kysely'
import { isReadable, joinOwnLateral, mayBeReadable, type Reader } from '../visibility.ts'
import { isOwnUpload } from './queries.ts'

/**
 * SQL condition on a row `u` of upload: the reader may read the file. The owner may read it, and so
 * may everyone who can currently see at least one message that refers to it. All code that serves
 * or lists files must use this condition. For a reader without access, PostgreSQL checks all claims
 * of the file; each check is a single index lookup, and only messages with a claim are read.
 */
export const canReadUpload = (reader: Reader): RawBuilder<boolean> => sql<boolean>`
  (${isOwnUpload(reader.user_id)} or exists (
    select from upload_claim c
    join lateral (
      select * from message where organization_id = c.organization_id and id = c.message_id offset 0
    ) m on true ${joinOwnLateral(reader)}
    where c.organization_id = u.organization_id and c.upload_id = u.id
      and ${mayBeReadable(reader)} and ${isReadable(reader)}))`
