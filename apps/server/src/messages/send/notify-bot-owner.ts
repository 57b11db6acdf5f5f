import type { OrganizationId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { App } from '../../platform/app.ts'
import { BoundedCache } from '../../platform/bounded-cache.ts'
import type { Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { perNode } from '../../platform/per-node.ts'
import { code, linkStream, type NamedStream, type NoticeText, notice } from '../../streams/notice-text.ts'
import { enqueueNotices } from '../../streams/notices.ts'

export interface Bot {
  organization_id: OrganizationId
  user_id: UserId
}

/** Builds the text of a notice about a bot. */
export type OwnerNotice = (bot: { email: string; full_name: string }) => NoticeText

/** A problem usually affects every message of a bot, so one notice per interval is enough. */
const minNoticeIntervalMs = 60_000
/**
 * The time at which this node last notified each bot's owner, which saves a query for each further
 * message within the interval.
 */
const lastNoticeTimes = perNode({
  name: 'notices to owners of bots',
  create: () => new BoundedCache<UserId, number>(10_000),
  countEntries: ({ size }) => size,
})

/**
 * Notifies a bot's owner through the notification bot, at most once per minute and bot. Never
 * throws, because the message was already sent or refused, and a client that got an error would
 * send it again.
 */
export async function notifyBotOwner(app: App, bot: Bot, buildNotice: OwnerNotice): Promise<void> {
  const { organization_id, user_id } = bot
  await notify(app, bot, buildNotice).catch((err: unknown) =>
    app.log.warn({ err, organization_id, user_id }, 'could not notify the owner of a bot'),
  )
}

async function notify(app: App, bot: Bot, buildNotice: OwnerNotice): Promise<void> {
  const noticeTimes = lastNoticeTimes(app)
  const now = performance.now()
  if (now - (noticeTimes.get(bot.user_id) ?? Number.NEGATIVE_INFINITY) < minNoticeIntervalMs) return
  const wasNotified = await inTransaction(app.db, async (tx) => {
    const found = await findOwner(tx, bot)
    if (!found?.bot_owner_id || !(await claimNotice(tx, bot))) return false
    const content = buildNotice({ email: found.delivery_email, full_name: found.full_name })
    const notices = [{ users: [found.bot_owner_id], content }]
    await enqueueNotices(tx, bot.organization_id, { id: found.bot_owner_id }, notices, { isNews: true })
    return true
  })
  if (wasNotified) noticeTimes.set(bot.user_id, now)
}

/**
 * SQL condition: the owner of the bot `u` got a notice within the interval, so `claimNotice` would
 * return false.
 */
export const wasOwnerNotified = sql<boolean>`
  exists (
    select from owner_notice own
    where own.organization_id = u.organization_id and own.bot_id = u.id
      and own.told_at >= now() - make_interval(secs => ${sql.lit(minNoticeIntervalMs / 1000)}))`

async function findOwner(tx: Tx, { organization_id, user_id }: Bot) {
  return tx
    .selectFrom('user_account')
    .select(['bot_owner_id', 'delivery_email', 'full_name'])
    .where('organization_id', '=', organization_id)
    .where('id', '=', user_id)
    .executeTakeFirst()
}

/**
 * Returns whether the caller may notify the bot's owner now. Only one caller per bot and interval
 * gets true, for notices of all kinds together.
 */
export async function claimNotice(tx: Tx, { organization_id, user_id }: Bot): Promise<boolean> {
  const { rows } = await sql`
    insert into owner_notice as own (organization_id, bot_id, told_at) values (${organization_id}, ${user_id}, now())
    on conflict (organization_id, bot_id) do update set told_at = now()
      where own.told_at < now() - make_interval(secs => ${minNoticeIntervalMs / 1000})
    returning told_at`.execute(tx)
  return rows.length > 0
}

const describeAttempt = (email: string): NoticeText =>
  notice`Your bot ${code(email)} tried to send a message to stream`

export const buildUnknownStreamNotice =
  (stream: string | number): OwnerNotice =>
  ({ email }) =>
    typeof stream === 'number'
      ? notice`${describeAttempt(email)} ID ${stream}, but there is no stream with that ID.`
      : notice`${describeAttempt(email)} #**${stream}**, but that stream does not exist. Click [here](#streams/new) to create it.`

export const buildNoSubscribersNotice =
  (stream: NamedStream): OwnerNotice =>
  ({ email }) =>
    notice`${describeAttempt(email)} ${linkStream(stream)}. The stream exists but does not have any subscribers.`
