import { hash } from 'node:crypto'
import type { OrganizationId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { App } from '../../platform/app.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { LinkPreviewRequestRow, MessageRow } from '../../platform/database/tables.ts'
import { perNode } from '../../platform/per-node.ts'

/** After this many failed attempts, a request is dropped. */
export const maxAttempts = 5

export const hashContent = (content: string): Buffer => hash('sha256', content, 'buffer')

/**
 * Requests previews for the new text of a locked message, and cancels the previews of the old text.
 */
export async function replacePreviewRequest(
  tx: Tx,
  { organization_id, id, sender_id }: Pick<MessageRow, 'organization_id' | 'id' | 'sender_id'>,
  content: string,
  links: readonly string[],
): Promise<void> {
  if (links.length === 0) {
    await sql`
      delete from link_preview_request
      where organization_id = ${organization_id} and message_id = ${id}`.execute(tx)
    return
  }
  await sql`
    insert into link_preview_request (organization_id, message_id, sender_id, links, content_hash)
    values (${organization_id}, ${id}, ${sender_id}, ${links}, ${hashContent(content)})
    on conflict (organization_id, message_id) do update
      set links = excluded.links, content_hash = excluded.content_hash, due_at = now(), attempts = 0,
        waits_for = null`.execute(tx)
}

/**
 * Identifies the request for one version of a message. An edit replaces it with another request.
 */
export type RequestKey = Pick<LinkPreviewRequestRow, 'organization_id' | 'message_id' | 'content_hash'>

const isVersion = ({ organization_id, message_id, content_hash }: RequestKey) =>
  sql<boolean>`organization_id = ${organization_id} and message_id = ${message_id} and content_hash = ${content_hash}`

/** Returns whether the message still has the same text, and its organization shows previews. */
export async function isStillWanted(db: Db, request: RequestKey): Promise<boolean> {
  const found = await db
    .selectFrom('message')
    .innerJoin('organization', 'organization.id', 'message.organization_id')
    .select('message.content')
    .where('message.organization_id', '=', request.organization_id)
    .where('message.id', '=', request.message_id)
    .where('organization.inline_url_embed_preview', '=', true)
    .where('organization.deactivated_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined && hashContent(found.content).equals(request.content_hash)
}

/** Deletes the request and returns whether it existed. */
export async function deleteRequest(db: Db, request: RequestKey): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from link_preview_request where ${isVersion(request)}`.execute(db)
  return numAffectedRows > 0n
}

/** Makes a claimed request available again at once. The attempt is not counted. */
export async function releaseRequest(db: Db, request: RequestKey): Promise<void> {
  await sql`
    update link_preview_request set due_at = now(), attempts = greatest(attempts - 1, 0)
    where ${isVersion(request)}`.execute(db)
}

/**
 * Postpones a claimed request until the page's claim ends; the request is due at once if the claim
 * has already ended. The shared lock delays a node that is ending the claim, so that the
 * `wakeRequests` of that node includes this request.
 */
export async function waitForPage(db: Db, request: RequestKey, url: string): Promise<void> {
  await sql`
    with page as materialized (
      select claimed_until from link_page
      where organization_id = ${request.organization_id} and url = ${url} for share)
    update link_preview_request
    set waits_for = ${url}, attempts = greatest(attempts - 1, 0),
      due_at = coalesce((select claimed_until from page where claimed_until > now()), now())
    where ${isVersion(request)}`.execute(db)
}

/** Makes all requests that wait for a page due. Must be called after the page's claim has ended. */
export async function wakeRequests(
  db: Db,
  { organization_id, url }: { organization_id: OrganizationId; url: string },
): Promise<void> {
  await sql`
    update link_preview_request set due_at = now(), waits_for = null
    where organization_id = ${organization_id} and waits_for = ${url}`.execute(db)
}

/**
 * Claims requests that are due, oldest first. No other node can claim them for `seconds`. This must
 * be longer than a node takes to handle a request, so that only requests of dead nodes are claimed
 * again.
 */
export async function claimRequests(
  db: Db,
  limit: number,
  seconds: number,
): Promise<LinkPreviewRequestRow[]> {
  const { rows } = await sql<LinkPreviewRequestRow>`
    update link_preview_request as request
    set due_at = now() + make_interval(secs => ${seconds}), attempts = attempts + 1, waits_for = null
    from (
      select organization_id, message_id from link_preview_request
      where due_at <= now() order by due_at limit ${limit} for update skip locked
    ) as due
    where request.organization_id = due.organization_id and request.message_id = due.message_id
    returning request.*`.execute(db)
  return rows
}

/**
 * Makes the node's preview loop query for requests at once. Does nothing if the node runs no loop.
 */
export const previewLoop = perNode<{ wake: () => void }>({
  name: 'alarm of link previews',
  create: () => ({ wake: () => {} }),
})

/**
 * Wakes the node's preview loop after a commit that requested previews. Otherwise the request would
 * wait for the next periodic query.
 */
export const wakePreviews = (app: App): void => previewLoop(app).wake()
