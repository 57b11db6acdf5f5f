import { ApiError, type OrganizationId } from '@oxbow/contract'
import { sql } from 'kysely'
import { type Actor, AlreadyAnswered, type Repetition } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { job } from '../platform/jobs.ts'

/** What a call with this key was answered, if it was made in the last day. */
export async function findAnswer(
  db: Db,
  { organization_id, user_id }: Actor,
  { key, fingerprint }: Repetition,
): Promise<object | undefined> {
  const kept = await db
    .selectFrom('idempotent_answer')
    .select(['fingerprint', 'answer'])
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .where(sql<boolean>`created_at > now() - interval '1 day'`)
    .executeTakeFirst()
  if (!kept) return undefined
  // A fingerprint is no secret: it is made of what the caller sent.
  if (!kept.fingerprint.equals(fingerprint)) throw new ApiError('IDEMPOTENCY_KEY_REUSED')
  return kept.answer
}

/** Of two calls with the same key the second waits for the first and is then told what that was told. */
export async function holdAnswer(tx: Tx, actor: Actor, repetition: Repetition): Promise<void> {
  const place = `${actor.organization_id} ${actor.user_id} ${repetition.key}`
  // Two numbers are another space of keys than one: whoever chooses the text cannot meet any other lock.
  await sql`select pg_advisory_xact_lock(1, hashtext(${place}))`.execute(tx)
  const answer = await findAnswer(tx, actor, repetition)
  if (answer) throw new AlreadyAnswered(answer)
}

export async function keepAnswer(
  db: Db,
  { organization_id, user_id }: Actor,
  repetition: Repetition,
  answer: object,
): Promise<void> {
  const { key, fingerprint } = repetition
  const row = { fingerprint, answer: JSON.stringify(answer) }
  await db
    .insertInto('idempotent_answer')
    .values({ organization_id, user_id, key, ...row })
    // One of more than a day ago, which nobody asks for any more.
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'user_id', 'key'])
        .doUpdateSet({ ...row, created_at: sql<Date>`now()` }),
    )
    .execute()
}

/** Changes those that may hold an address. Whoever keeps answers meanwhile must be kept out: they would miss the change. */
export async function rewriteAnswersWithAddresses(
  tx: Tx,
  organization_id: OrganizationId,
  rewrite: (answer: object) => object,
): Promise<void> {
  const found = await tx
    .selectFrom('idempotent_answer')
    .select(['user_id', 'key', 'answer'])
    .where('organization_id', '=', organization_id)
    .where(sql<boolean>`answer::text like '%@%'`)
    .execute()
  if (found.length === 0) return
  await sql`
    update idempotent_answer a set answer = rewritten.answer::json
    from unnest(
      ${found.map(({ user_id }) => user_id)}::bigint[],
      ${found.map(({ key }) => key)}::text[],
      ${found.map(({ answer }) => JSON.stringify(rewrite(answer)))}::text[]
    ) as rewritten (user_id, key, answer)
    where a.organization_id = ${organization_id} and a.user_id = rewritten.user_id and a.key = rewritten.key`.execute(
    tx,
  )
}

export const keptAnswers = {
  find: ({ db }: App, actor: Actor, repetition: Repetition) => findAnswer(db, actor, repetition),
  keep: ({ db }: App, actor: Actor, repetition: Repetition, answer: object) =>
    keepAnswer(db, actor, repetition, answer),
}

export const forgetOldAnswers = job<unknown>({
  name: 'forget_old_answers',
  schedule: '43 * * * *',
  async run({ db }) {
    await db
      .deleteFrom('idempotent_answer')
      .where(sql<boolean>`created_at < now() - interval '1 day'`)
      .execute()
  },
})
