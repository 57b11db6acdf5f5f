import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OrganizationId, UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import pg from 'pg'
import { emit } from '../../src/events/emit.ts'
import { lockUser, updateUserRow } from '../../src/people/users/queries.ts'
import type { App } from '../../src/platform/app.ts'
import { connectionOptions } from '../../src/platform/database/database.ts'
import { lockKey, lockRoles } from '../../src/platform/database/locks.ts'
import { inTransaction } from '../../src/platform/database/transaction.ts'
import { pickRandom } from '../pick-random.ts'
import { changeStreams, type StreamContext } from './streams.ts'

/** Returns the name that the given change of a row writes: change 17 writes `Person 17`. */
export const nameOf = (version: number): string => `Person ${version}`
export const versionOf = (name: string): number => Number(name.split(' ')[1])

export interface WriteContext extends StreamContext {
  app: App
  databaseUrl: string
  organization_id: OrganizationId
  /** Ids of the accounts that all writers change. */
  users: UserId[]
}

/** Makes random changes one at a time until the signal aborts. Returns their number. */
export async function write(context: WriteContext, signal: AbortSignal): Promise<number> {
  const client = new pg.Client(connectionOptions(context.databaseUrl))
  await client.connect()
  let changes = 0
  while (!signal.aborted) {
    const kind = randomInt(100)
    if (kind < 25) await rename(context, {})
    else if (kind < 35) await rename(context, { holdOpen: randomInt(80) })
    else if (kind < 40) await rename(context, { rollBackSavepoint: true })
    else if (kind < 45) await rename(context, { fail: true }).catch(() => {})
    else if (kind < 50) await renamePrepared(context, client)
    else if (kind < 60) await changeFields(context)
    else await changeStreams(context)
    changes++
    await sleep(randomInt(4))
  }
  await client.end()
  return changes
}

interface RenameOptions {
  holdOpen?: number
  rollBackSavepoint?: boolean
  fail?: boolean
}

async function rename({ app, organization_id, users }: WriteContext, options: RenameOptions): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    await lockRoles(tx, organization_id, 'shared')
    const user = await lockUser(tx, organization_id, pickRandom(users))
    if (!user) return
    if (options.rollBackSavepoint) {
      await sql`savepoint doubt`.execute(tx)
      await updateUserRow(tx, organization_id, user.id, { full_name: 'Nobody 0' })
      await sql`rollback to savepoint doubt`.execute(tx)
    }
    const full_name = nameOf(versionOf(user.full_name) + 1)
    await updateUserRow(tx, organization_id, user.id, { full_name })
    emit(tx, { organization_id, ...makeRenameEvent(user.id, full_name) })
    if (options.holdOpen) await sleep(options.holdOpen)
    if (options.fail) throw new Error('changed its mind')
  })
}

function makeRenameEvent(user_id: UserId, full_name: string) {
  return {
    event: { type: 'realm_user', op: 'update', person: { user_id, full_name } },
    to: { roles: 'everyone' as const },
    effects: [{ kind: 'user' as const, user: user_id }],
  }
}

/** Renames a user by a prepared transaction, which belongs to no session between its two steps. */
async function renamePrepared({ organization_id, users }: WriteContext, client: pg.Client): Promise<void> {
  const name = `trial ${process.pid} ${randomInt(1e9)}`
  const user = pickRandom(users)
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock_shared($1)', [
    lockKey('organizationRoles', organization_id),
  ])
  const { rows } = await client.query('select full_name from user_account where id = $1 for no key update', [
    user,
  ])
  const full_name = nameOf(versionOf(rows[0].full_name) + 1)
  await client.query('update user_account set full_name = $2 where id = $1', [user, full_name])
  const { event, to, effects } = makeRenameEvent(user, full_name)
  await client.query('insert into outbox (organization_id, header, event) values ($1, $2, $3)', [
    organization_id,
    JSON.stringify({ type: event.type, to, effects }),
    JSON.stringify(event),
  ])
  await client.query(`prepare transaction '${name}'`)
  await sleep(randomInt(40))
  await client.query(randomInt(4) > 0 ? `commit prepared '${name}'` : `rollback prepared '${name}'`)
}

/**
 * Makes a random change of custom profile fields, whose events contain the complete list. Errors are
 * ignored, because another writer may have removed the field.
 */
async function changeFields({ owner }: WriteContext): Promise<void> {
  const { custom_fields: fields } = await owner.profileFields.list()
  const ids = fields.map(({ id }) => id)
  const change = randomInt(4)
  const attempt =
    change === 0 && fields.length < 12
      ? owner.profileFields.create({ name: `Field ${randomInt(1e9)}`, field_type: 1 })
      : change === 1 && fields.length > 4
        ? owner.profileFields.remove({ field_id: pickRandom(ids) })
        : change === 2 && fields.length > 0
          ? owner.profileFields.update({ field_id: pickRandom(ids), name: `Field ${randomInt(1e9)}` })
          : owner.profileFields.reorder({ order: ids.toReversed() })
  await attempt.catch(() => {})
}
