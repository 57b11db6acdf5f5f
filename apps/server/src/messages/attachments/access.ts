import { type RawBuilder, sql } from 'kysely'
import { isReadable, isWithinReach, joinOwnLateral, type Reader } from '../visibility.ts'

/**
 * SQL condition on a row `u` of upload: the reader may read the file. Its owner may, and everyone who
 * may see now at least one message that refers to it. Every way to a file is decided by this
 * condition. A file may have many claims, and a reader who may not read it has all of them looked at:
 * each is one lookup by index, and no message without a claim is ever read.
 */
export const canReadUpload = (reader: Reader): RawBuilder<boolean> => sql<boolean>`
  (u.owner_id = ${reader.user_id} or exists (
    select from upload_claim c
    join lateral (
      select * from message where organization_id = c.organization_id and id = c.message_id offset 0
    ) m on true ${joinOwnLateral(reader)}
    where c.organization_id = u.organization_id and c.upload_id = u.id
      and ${isWithinReach(reader)} and ${isReadable(reader)}))`
