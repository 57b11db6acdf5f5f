import { hash } from 'node:crypto'
import {
  ApiError,
  defaultGeneration,
  type Endpoint,
  type Generation,
  type OrganizationId,
  type UploadedFile,
} from '@oxbow/contract'
import { sql } from 'kysely'
import { type Actor, type IdempotencyKey, IdempotentReplay } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { autocommit, type Db, type Tx } from '../platform/database/database.ts'
import { job } from '../platform/jobs/jobs.ts'

/**
 * Returns the idempotency key of a request, with a fingerprint of its endpoint and parameters; undefined if
 * the request has none.
 */
export function readIdempotencyKey(
  { secrets }: Pick<App, 'secrets'>,
  header: string | string[] | undefined,
  { name, endpoint }: { name: string; endpoint: Pick<Endpoint, 'ignoredInRetries' | 'variesByGeneration'> },
  params: object & { files?: readonly UploadedFile[] },
  generation: Generation,
): IdempotencyKey | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw new ApiError('IDEMPOTENCY_KEY_INVALID')
  }
  const omitted = endpoint.ignoredInRetries?.map((parameter) => [parameter, undefined]) ?? []
  const compared = { ...replaceBytesByDigests(params), ...Object.fromEntries(omitted) }
  const variant = endpoint.variesByGeneration && generation !== defaultGeneration ? [generation] : []
  // The fingerprint is a keyed hash, because the parameters may contain a password.
  return {
    key: header,
    fingerprint: secrets.hash(JSON.stringify([name, compared, ...variant])),
    isSaved: false,
  }
}

/**
 * Adds the digest of a streamed file to the fingerprint, which was made before the file was
 * received.
 */
export function addToFingerprint(
  { secrets }: Pick<App, 'secrets'>,
  key: IdempotencyKey,
  digest: string,
): void {
  key.fingerprint = secrets.hash(`${key.fingerprint.toString('hex')} ${digest}`)
}

/** Replaces file contents by their digests, which are shorter and also identify the contents. */
function replaceBytesByDigests(params: object & { files?: readonly UploadedFile[] }): object {
  if (!params.files) return params
  const files = params.files.map(({ name, bytes }) => [name, hash('sha256', bytes)])
  return { ...params, files }
}

/**
 * Serves a request with an `Idempotency-Key`: returns the saved response of an earlier request with this key,
 * or runs the action. The response is saved in the transaction of the change or, if the action has several,
 * right after it.
 */
export async function runIdempotently(
  app: App,
  actor: Actor,
  idempotencyKey: IdempotencyKey,
  { endpoint, action }: { endpoint: string; action: () => Promise<object> },
): Promise<object> {
  try {
    const savedResponse = await findIdempotentResponse(app.db, actor, idempotencyKey)
    if (savedResponse) return savedResponse
    const response = await action()
    if (!idempotencyKey.isSaved)
      // Never rejects: the change is committed, and a client that saw an error would repeat it.
      await saveIdempotentResponse(app.db, actor, idempotencyKey, response).catch((err: unknown) =>
        app.log.warn(
          { err, endpoint },
          'a response could not be saved; a retry with the same Idempotency-Key would repeat the change',
        ),
      )
    return response
  } catch (error) {
    if (error instanceof IdempotentReplay) return error.response
    // The action may have failed because the first request, which ran at the same time, has already made the
    // change.
    const savedResponse =
      error instanceof ApiError ? await findIdempotentResponse(app.db, actor, idempotencyKey) : undefined
    if (savedResponse) return savedResponse
    throw error
  }
}

/**
 * Returns the response that was saved for this key within the last day. Throws if the key was used
 * for a different request.
 */
async function findIdempotentResponse(
  db: Db,
  { organization_id, user_id }: Actor,
  { key, fingerprint }: IdempotencyKey,
): Promise<object | undefined> {
  const saved = await db
    .selectFrom('idempotent_answer')
    .select(['fingerprint', 'answer'])
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .where(sql<boolean>`created_at > now() - interval '1 day'`)
    .executeTakeFirst()
  if (!saved) return undefined
  // The comparison need not take constant time, because the fingerprint is derived from the
  // caller's own request.
  if (!saved.fingerprint.equals(fingerprint)) throw new ApiError('IDEMPOTENCY_KEY_REUSED')
  return saved.answer
}

/**
 * Locks the key until the transaction ends. Throws `IdempotentReplay` if a response was saved for
 * the key.
 */
export async function claimIdempotencyKey(
  tx: Tx,
  actor: Actor,
  idempotencyKey: IdempotencyKey,
): Promise<void> {
  const lockName = `${actor.organization_id} ${actor.user_id} ${idempotencyKey.key}`
  // Advisory locks with two numbers cannot collide with those with one number, so a caller's key
  // cannot block another kind of lock.
  await sql`select pg_advisory_xact_lock(1, hashtext(${lockName}))`.execute(tx)
  const response = await findIdempotentResponse(tx, actor, idempotencyKey)
  if (response) throw new IdempotentReplay(response)
}

export async function saveIdempotentResponse(
  db: Db,
  { organization_id, user_id }: Actor,
  idempotencyKey: IdempotencyKey,
  response: object,
): Promise<void> {
  const { key, fingerprint } = idempotencyKey
  const row = { fingerprint, answer: JSON.stringify(response) }
  await autocommit(db)
    .insertInto('idempotent_answer')
    .values({ organization_id, user_id, key, ...row })
    // A conflicting row is older than a day, so its response has expired.
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'user_id', 'key'])
        .doUpdateSet({ ...row, created_at: sql<Date>`now()` }),
    )
    .execute()
}

/**
 * Rewrites saved responses that may contain an e-mail address. The caller must prevent concurrent
 * writes by a lock.
 */
export async function rewriteResponsesWithAddresses(
  tx: Tx,
  organization_id: OrganizationId,
  rewrite: (response: object) => object,
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
      ${found.map(({ answer: response }) => JSON.stringify(rewrite(response)))}::text[]
    ) as rewritten (user_id, key, answer)
    where a.organization_id = ${organization_id} and a.user_id = rewritten.user_id and a.key = rewritten.key`.execute(
    tx,
  )
}

export const deleteOldResponses = job<unknown>({
  name: 'forget_old_answers',
  schedule: '43 * * * *',
  async run({ db }) {
    await autocommit(db)
      .deleteFrom('idempotent_answer')
      .where(sql<boolean>`created_at < now() - interval '1 day'`)
      .execute()
  },
})
