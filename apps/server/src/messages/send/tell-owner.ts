import type { OrganizationId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { leaveNotices } from '../../streams/notices.ts'

export interface Bot {
  organization_id: OrganizationId
  user_id: UserId
}

/** What to say of a bot, by its address and its name. */
export type OwnerNotice = (bot: { email: string; full_name: string }) => string

/** Whatever goes wrong goes wrong with every message of a bot: one word a minute is enough. */
const pause = 60_000
/** Bots whose owners this node told, and when: what follows within the minute asks the database nothing. */
const told = new WeakMap<App, Map<UserId, number>>()

/**
 * Notifies a bot's owner through the notification bot, at most once a minute for each bot. Never fails: the message was
 * sent or refused by now, and a caller that saw an error would send it again.
 */
export async function tellOwner(app: App, bot: Bot, notice: OwnerNotice): Promise<void> {
  const { organization_id, user_id } = bot
  await notify(app, bot, notice).catch((err: unknown) =>
    app.log.warn({ err, organization_id, user_id }, 'the owner of a bot could not be notified'),
  )
}

async function notify(app: App, bot: Bot, notice: OwnerNotice): Promise<void> {
  const ofApp = told.get(app) ?? new Map<UserId, number>()
  told.set(app, ofApp)
  const now = performance.now()
  if (now - (ofApp.get(bot.user_id) ?? Number.NEGATIVE_INFINITY) < pause) return
  const isTold = await inTransaction(app.db, async (tx) => {
    const found = await findOwner(tx, bot)
    if (!found?.bot_owner_id || !(await isTime(tx, bot))) return false
    const content = notice({ email: found.delivery_email, full_name: quiet(found.full_name) })
    const reader = { id: found.bot_owner_id, full_name: '' }
    const notices = [{ users: [found.bot_owner_id], content }]
    await leaveNotices(tx, bot.organization_id, reader, notices, { isNews: true })
    return true
  })
  if (ofApp.size >= 10_000) ofApp.clear()
  if (isTold) ofApp.set(bot.user_id, now)
}

async function findOwner(tx: Tx, { organization_id, user_id }: Bot) {
  return tx
    .selectFrom('user_account')
    .select(['bot_owner_id', 'delivery_email', 'full_name'])
    .where('organization_id', '=', organization_id)
    .where('id', '=', user_id)
    .executeTakeFirst()
}

/** Of several nodes one says it. */
async function isTime(tx: Tx, { organization_id, user_id }: Bot): Promise<boolean> {
  const { rows } = await sql`
    insert into owner_notice as own (organization_id, bot_id, told_at) values (${organization_id}, ${user_id}, now())
    on conflict (organization_id, bot_id) do update set told_at = now()
      where own.told_at < now() - make_interval(secs => ${pause / 1000})
    returning told_at`.execute(tx)
  return rows.length > 0
}

/** Names may hold anything, which must call nobody. */
export const quiet = (name: string): string => name.replace(/@(?=_?\*)/g, '@\u200b')

const triedTo = (email: string): string => `Your bot \`${email}\` tried to send a message to stream`

export const noSuchStream =
  (stream: string | number): OwnerNotice =>
  ({ email }) =>
    typeof stream === 'number'
      ? `${triedTo(email)} ID ${stream}, but there is no stream with that ID.`
      : `${triedTo(email)} #**${quiet(stream)}**, but that stream does not exist. Click [here](#streams/new) to create it.`

export const unheard =
  (stream: string): OwnerNotice =>
  ({ email }) =>
    `${triedTo(email)} #**${quiet(stream)}**. The stream exists but does not have any subscribers.`
