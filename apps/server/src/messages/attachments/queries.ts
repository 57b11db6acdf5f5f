import {
  type MessageId,
  maxAttachmentMessages,
  type OrganizationId,
  type UploadId,
  type UserId,
} from '@oxbow/contract'
import type { UploadedPicture } from '@oxbow/markdown'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { UploadRow } from '../../platform/database/tables.ts'
import { isReadable, joinOwn, type Reader } from '../visibility.ts'

/** An upload, and the newest messages that refer to it and that its owner may see. */
export interface AttachmentRow
  extends Pick<UploadRow, 'id' | 'file_name' | 'path_id' | 'size' | 'content_type' | 'created_at'> {
  messages: { id: MessageId; sent_at: string }[]
}

/**
 * Maximum number of claims that are read, newest first, to list the messages that refer to an
 * upload. It bounds the time for an upload with thousands of messages that its owner may not see.
 */
const maxClaimsRead = 4 * maxAttachmentMessages

/**
 * SQL condition on a row `u` of upload: the account uploaded the file. A bot that got another owner has no
 * uploads of the time before, because its rights are those of the new owner.
 */
export const isOwnUpload = (user_id: UserId): RawBuilder<boolean> =>
  sql<boolean>`(u.owner_id = ${user_id} and not u.is_hidden_from_owner)`

/** Lists the owner's uploads that meet the condition on `u`, ordered by id. */
export async function listAttachments(
  db: Db,
  owner: Reader,
  condition: RawBuilder<boolean>,
  limit: number,
): Promise<AttachmentRow[]> {
  const { rows } = await sql<AttachmentRow>`
    select u.id, u.file_name, u.path_id, u.size, u.content_type, u.created_at, coalesce((
      select json_agg(json_build_object('id', newest.id, 'sent_at', newest.sent_at) order by newest.id)
      from (
        select m.id, m.sent_at from (
          select claim.organization_id, claim.message_id from upload_claim claim
          where claim.organization_id = u.organization_id and claim.upload_id = u.id
          order by claim.message_id desc limit ${maxClaimsRead}
        ) as c
        join message m on m.organization_id = c.organization_id and m.id = c.message_id ${joinOwn(owner)}
        where ${isReadable(owner)}
        order by m.id desc limit ${maxAttachmentMessages}
      ) as newest
    ), '[]') as messages
    from upload u
    where u.organization_id = ${owner.organization_id} and ${isOwnUpload(owner.user_id)} and ${condition}
    order by u.id limit ${limit}`.execute(db)
  return rows
}

/** Lists the pictures at these paths whose sizes are known and that meet the condition on `u`. */
export async function listPictures(
  db: Db,
  organization_id: OrganizationId,
  paths: readonly string[],
  condition: RawBuilder<boolean>,
): Promise<UploadedPicture[]> {
  const { rows } = await sql<UploadedPicture>`
    select u.path_id as path, u.width, u.height, u.content_type as "contentType",
      coalesce(u.is_animated, false) as "isAnimated"
    from upload u
    where u.organization_id = ${organization_id} and u.path_id = any(${paths}::text[])
      and u.width is not null and u.height is not null and ${condition}`.execute(db)
  return rows
}

/** The storage that all uploads of an organization use. */
export interface UsedSpace {
  bytes: number
  /** The maximum in bytes; null if there is no limit. */
  upload_quota: number | null
}

/** Returns how much storage an organization uses and how much it may use. */
export async function getUsedSpace(db: Db, organization_id: OrganizationId): Promise<UsedSpace> {
  const { rows } = await sql<UsedSpace>`
    select coalesce(used.bytes, 0) as bytes, o.upload_quota from organization o
    left join upload_usage used on used.organization_id = o.id
    where o.id = ${organization_id}`.execute(db)
  return rows[0] as UsedSpace
}

export type OwnedUpload = Pick<UploadRow, 'id' | 'owner_id' | 'path_id' | 'is_hidden_from_owner'>

const ownedUploadColumns = sql`u.id, u.owner_id, u.path_id, u.is_hidden_from_owner`

/** Lists the uploads that a message refers to. */
export async function listClaimedUploads(
  db: Db,
  organization_id: OrganizationId,
  message_id: MessageId,
): Promise<OwnedUpload[]> {
  const { rows } = await sql<OwnedUpload>`
    select ${ownedUploadColumns} from upload_claim c
    join upload u on u.organization_id = c.organization_id and u.id = c.upload_id
    where c.organization_id = ${organization_id} and c.message_id = ${message_id} order by u.id`.execute(db)
  return rows
}

/**
 * Locks the uploads that these messages refer to, so that no other message can claim them
 * meanwhile.
 */
export async function lockClaimedUploads(
  tx: Tx,
  organization_id: OrganizationId,
  message_ids: readonly MessageId[],
): Promise<OwnedUpload[]> {
  const { rows } = await sql<OwnedUpload>`
    select ${ownedUploadColumns} from upload u
    where u.organization_id = ${organization_id} and u.id = any (array(
      select c.upload_id from upload_claim c
      where c.organization_id = ${organization_id} and c.message_id = any(${message_ids}::bigint[])))
    order by u.id for update`.execute(tx)
  return rows
}

export interface LockedUpload extends OwnedUpload {
  /** False for an upload in `claimed` that the edited message must not claim any more. */
  is_claimable: boolean
}

/**
 * Locks the uploads in `claimed` and the uploads at these paths that meet the condition on `u`, in
 * the order of their ids. Until the transaction ends, these uploads cannot be removed, and no other
 * message can add or drop a claim on them. So each attachment event includes the changes of all
 * earlier events.
 */
export async function lockUploadsToClaim(
  tx: Tx,
  organization_id: OrganizationId,
  paths: readonly string[],
  condition: RawBuilder<boolean>,
  claimed: readonly UploadId[] = [],
): Promise<LockedUpload[]> {
  const isClaimable = sql<boolean>`(u.path_id = any(${paths}::text[]) and ${condition})`
  const isWanted =
    claimed.length === 0 ? isClaimable : sql`(u.id = any(${claimed}::bigint[]) or ${isClaimable})`
  const { rows } = await sql<LockedUpload>`
    select ${ownedUploadColumns}, ${isClaimable} as is_claimable from upload u
    where u.organization_id = ${organization_id} and ${isWanted}
    order by u.id for no key update of u`.execute(tx)
  return rows
}

export async function insertClaims(
  tx: Tx,
  organization_id: OrganizationId,
  message_id: MessageId,
  uploads: readonly OwnedUpload[],
): Promise<void> {
  if (uploads.length === 0) return
  await sql`
    insert into upload_claim (organization_id, upload_id, message_id)
    select ${organization_id}, id, ${message_id} from unnest(${uploads.map(({ id }) => id)}::bigint[]) as id`.execute(
    tx,
  )
}

export async function deleteClaims(
  tx: Tx,
  organization_id: OrganizationId,
  message_id: MessageId,
  uploads: readonly OwnedUpload[],
): Promise<void> {
  if (uploads.length === 0) return
  await sql`
    delete from upload_claim
    where organization_id = ${organization_id} and message_id = ${message_id}
      and upload_id = any(${uploads.map(({ id }) => id)}::bigint[])`.execute(tx)
}

export async function setHasAttachment(
  tx: Tx,
  organization_id: OrganizationId,
  id: MessageId,
  has_attachment: boolean,
): Promise<void> {
  await tx
    .updateTable('message')
    .set({ has_attachment })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('has_attachment', '<>', has_attachment)
    .execute()
}

/**
 * Deletes the uploads with these ids that meet the condition on `u`, with their claims. Returns the
 * deleted uploads.
 */
export async function deleteUploads(
  tx: Tx,
  organization_id: OrganizationId,
  ids: readonly UploadId[],
  condition: RawBuilder<boolean>,
): Promise<OwnedUpload[]> {
  const { rows } = await sql<OwnedUpload>`
    delete from upload u
    where u.organization_id = ${organization_id} and u.id = any(${ids}::bigint[]) and ${condition}
    returning ${ownedUploadColumns}`.execute(tx)
  return rows
}

/** Hides what an account has uploaded so far from it, except where a message shows it the file. */
export async function hideUploadsFromOwner(
  tx: Tx,
  { organization_id, user_id }: { organization_id: OrganizationId; user_id: UserId },
): Promise<void> {
  await tx
    .updateTable('upload')
    .set({ is_hidden_from_owner: true })
    .where('organization_id', '=', organization_id)
    .where('owner_id', '=', user_id)
    .where('is_hidden_from_owner', '=', false)
    .execute()
}

/** Lists the owners with their roles, which determine what they may see. */
export async function listOwners(
  db: Db,
  organization_id: OrganizationId,
  ids: readonly UserId[],
): Promise<Reader[]> {
  return db
    .selectFrom('user_account')
    .select(['organization_id', 'id as user_id', 'role'])
    .where('organization_id', '=', organization_id)
    .where((eb) => eb('id', '=', eb.fn.any(eb.val([...ids]))))
    .orderBy('id')
    .execute()
}
