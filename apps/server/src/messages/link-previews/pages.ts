import type { OrganizationId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { Page } from './page/page.ts'

export interface PageKey {
  organization_id: OrganizationId
  url: string
}

/**
 * Maximum number of pages fetched per hour for the messages of one account. Further links get no
 * preview.
 */
export const maxFetchesPerHour = 100

/** The state is `absent` if the page was never fetched or the fetched page has expired. */
export type PageState = { state: 'known'; page: Page } | { state: 'being fetched' } | { state: 'absent' }

export async function readPageState(db: Db, { organization_id, url }: PageKey): Promise<PageState> {
  const { rows } = await sql<Page & { is_known: boolean; is_claimed: boolean }>`
    select title, description, image, coalesce(expires_at > now(), false) as is_known, claimed_until > now() as is_claimed
    from link_page where organization_id = ${organization_id} and url = ${url}`.execute(db)
  const [row] = rows
  if (row?.is_known) {
    const { title, description, image } = row
    return { state: 'known', page: { title, description, image } }
  }
  return { state: row?.is_claimed ? 'being fetched' : 'absent' }
}

/**
 * Claims an absent page, so that no other request fetches it during the next `seconds`. Returns
 * false if another request claimed it first.
 */
export async function claimPage(
  db: Db,
  { organization_id, url }: PageKey,
  requested_by: UserId,
  seconds: number,
): Promise<boolean> {
  const { rows } = await sql`
    insert into link_page as known (organization_id, url, requested_by, claimed_until)
    values (${organization_id}, ${url}, ${requested_by}, now() + make_interval(secs => ${seconds}))
    on conflict (organization_id, url) do update
      set requested_by = excluded.requested_by, fetch_began_at = now(), claimed_until = excluded.claimed_until
      where known.claimed_until <= now() and coalesce(known.expires_at <= now(), true)
    returning 1`.execute(db)
  return rows.length > 0
}

export async function hasReachedLimit(
  db: Db,
  organization_id: OrganizationId,
  user_id: UserId,
): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from link_page
    where organization_id = ${organization_id} and requested_by = ${user_id}
      and fetch_began_at > now() - interval '1 hour'`.execute(db)
  return (rows[0]?.count ?? 0) >= maxFetchesPerHour
}

/** Stores a fetched page and ends the claim. */
export async function savePage(
  db: Db,
  { organization_id, url }: PageKey,
  { title, description, image }: Page,
  secondsToKeep: number,
): Promise<void> {
  await sql`
    update link_page
    set title = ${title}, description = ${description}, image = ${image},
      expires_at = now() + make_interval(secs => ${secondsToKeep}), claimed_until = '-infinity'
    where organization_id = ${organization_id} and url = ${url}`.execute(db)
}

export async function releasePage(db: Db, { organization_id, url }: PageKey): Promise<void> {
  await sql`
    update link_page set claimed_until = '-infinity'
    where organization_id = ${organization_id} and url = ${url}`.execute(db)
}

/**
 * Deletes pages that are no longer used. Pages of the last hour are kept, because they count
 * towards the limit of their account.
 */
export async function deleteOldPages(db: Db): Promise<void> {
  await sql`
    delete from link_page
    where fetch_began_at < now() - interval '2 hours' and claimed_until < now()
      and coalesce(expires_at < now(), true)`.execute(db)
}
