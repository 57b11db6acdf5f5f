import { sql } from 'kysely'
import type { Config } from '../../platform/config/settings.ts'
import { type Database, type Db, openDatabase } from '../../platform/database/database.ts'
import { refuseUnreachable } from '../../platform/database/migrate.ts'
import { findLogId } from '../../platform/doctor/find-log-id.ts'
import { findJobsHold } from '../../platform/jobs/jobs-hold.ts'
import { SetupError } from '../../platform/operator-error.ts'
import { describeSecretProblem, stateColumns } from '../../platform/secrets/secret-state.ts'
import {
  findSecretTexts,
  makeSecrets,
  type SecretState,
  type Secrets,
} from '../../platform/secrets/secrets.ts'
import { countRunningNodes } from '../../platform/secrets/watch-secret.ts'
import {
  checkClock,
  checkIndexes,
  checkMigrations,
  checkPostgres,
  checkRights,
  findLocalDataDirectory,
} from './check-database.ts'
import { checkDataDirectory, checkDiskSpace, checkUploadedFiles } from './check-directories.ts'
import { checkExternalUrl } from './check-external-url.ts'
import { checkMail, findRecipient } from './check-mail.ts'
import { type Finding, type Outcome, ok, problem, toFinding, warning } from './finding.ts'
import { requestDoctorPage } from './request-doctor-page.ts'

export interface Examination {
  /** Is called with each finding at once. */
  report(finding: Finding): void
  /** Is called before a check that takes long. */
  announce(text: string): void
  /** How long a request has to wait for its answer, to check the timeouts of proxies; 0 to leave this out. */
  waitSeconds: number
}

/**
 * Checks an installation. Changes nothing, apart from test files that it removes again: it creates neither a secret
 * nor a database, and applies no migration.
 */
export async function examine(config: Config, examination: Examination): Promise<Finding[]> {
  const findings: Finding[] = []
  const run = async (check: string, work: () => Outcome | Promise<Outcome>): Promise<Outcome> => {
    const outcome = await Promise.try(work).catch(explainError)
    const finding = { check, ...outcome }
    findings.push(finding)
    examination.report(finding)
    return outcome
  }
  await run('data directory', () => checkDataDirectory(config))
  await run('files', () => checkUploadedFiles(config))
  const database = openDatabase(config, () => {})
  let recipient: string | undefined
  try {
    const { state } = await run('database', async () => {
      await refuseUnreachable(config.database_url)
      return checkPostgres(database.db, config)
    })
    const isUsable = state !== 'problem'
    const directory = isUsable ? await findLocalDataDirectory(database.db) : undefined
    await run('disk space', () => checkDiskSpace(config, directory))
    if (isUsable) await examineDatabase(config, database, examination, run)
    recipient = isUsable ? await findRecipient(database.db).catch(() => undefined) : undefined
  } finally {
    await database.close()
  }
  await run('mail', () => checkMail(config, recipient))
  return findings
}

type Run = (check: string, work: () => Outcome | Promise<Outcome>) => Promise<Outcome>

async function examineDatabase(
  config: Config,
  { db }: Database,
  examination: Examination,
  run: Run,
): Promise<void> {
  await run('clock', () => checkClock(db))
  await run('migrations', () => checkMigrations(config))
  // Tables that a pending migration will create cannot be queried yet.
  if (!(await hasTables(db))) return
  // Without these rights, the following checks could not read the tables either.
  const rights = await run('rights', () => checkRights(db))
  if (rights.state === 'problem') return
  await run('indexes', () => checkIndexes(db))
  let secrets: Secrets | undefined
  await run('secret', async () => {
    const found = await checkSecret(config, db)
    if ('state' in found) return found
    secrets = found
    return ok('The database was set up with the secret of this machine.')
  })
  await run('jobs', () => checkJobs(db))
  const nodes = await countRunningNodes(db)
  await run('nodes', () =>
    nodes === 0
      ? warning('No node is running.', 'Start one: `oxbow serve`, or `systemctl start oxbow`.')
      : ok(nodes === 1 ? '1 node is running.' : `${nodes} nodes are running.`),
  )
  await examineExternalUrl(config, db, { ...examination, nodes, secrets }, run)
}

async function examineExternalUrl(
  { external_url }: Config,
  db: Db,
  { nodes, secrets, announce, waitSeconds }: Examination & { nodes: number; secrets: Secrets | undefined },
  run: Run,
): Promise<void> {
  if (external_url === undefined) {
    await run('external URL', () =>
      warning(
        'OXBOW_EXTERNAL_URL is not set, so no e-mail can contain a link.',
        'Set it to the address at which people reach this server.',
      ),
    )
    return
  }
  // Only a running node with the same secret can answer.
  if (nodes === 0 || !secrets) return
  const logId = await findLogId(db).catch(() => undefined)
  const { url, proxy } = await checkExternalUrl(external_url, secrets, logId)
  await run('external URL', () => url)
  if (!proxy) return
  await run('proxy', () => proxy)
  if (waitSeconds === 0) return
  announce(`Waiting ${waitSeconds} seconds for a slow answer; --wait 0 leaves this out.`)
  await run('slow answers', () => checkSlowAnswer(external_url, secrets, waitSeconds))
}

/** Also works for a role that may not use the schema of the jobs, for which `to_regclass` fails. */
async function hasTables(db: Db): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('node_secret') is not null and exists (
      select from pg_class
      where relname = 'jobs' and relnamespace = (select oid from pg_namespace where nspname = 'graphile_worker')
    ) as exists`.execute(db)
  return rows[0]?.exists ?? false
}

/** Returns the secrets if they match the database, and otherwise the problem as an outcome. */
async function checkSecret(config: Config, db: Db): Promise<Secrets | Outcome> {
  const texts = findSecretTexts(config)
  const { rows } = await sql<SecretState>`select ${sql.raw(stateColumns)} from server`.execute(db)
  const [state] = rows
  if (!texts)
    return state
      ? problem(
          `The database was set up with a secret, and this machine has none: ${config.data_dir}/secret is missing.`,
          'Put the file back from a backup, or give the secret of the other nodes in OXBOW_SECRET.',
        )
      : ok('There is none yet; the first start creates it.')
  const secrets = makeSecrets(texts.secret, texts.old_secret)
  const secretProblem = state && secrets.adopt(state)
  return secretProblem ? toFinding('problem', describeSecretProblem(secretProblem, config)) : secrets
}

/** Checks that no background job is overdue or keeps failing. */
async function checkJobs(db: Db): Promise<Outcome> {
  const heldSince = await findJobsHold(db)
  if (heldSince)
    return warning(
      `Jobs have been held since ${heldSince.toISOString()}, because a backup was restored: no e-mail and no scheduled message is sent.`,
      'Run `oxbow jobs resume` when this server should send again.',
    )
  const { rows } = await sql<{ kind: string; count: number }>`
    select task_identifier as kind, count(*)::int as count from graphile_worker.jobs
    where locked_at is null and attempts < max_attempts
      and (run_at < now() - interval '10 minutes' or attempts >= 5)
    group by 1 order by 1`.execute(db)
  if (rows.length === 0) return ok('No job is overdue.')
  return warning(
    `Jobs are overdue or fail again and again: ${rows.map(({ kind, count }) => `${count} ${kind}`).join(', ')}.`,
    '`oxbow jobs list` shows why they fail, and `oxbow jobs retry` runs them at once.',
  )
}

function explainError(error: unknown): Outcome {
  if (error instanceof SetupError) return toFinding('problem', error.message)
  return problem(
    `The check failed: ${(error as Error).message}.`,
    'Search the log of the nodes for the reason.',
  )
}

/**
 * Checks that a request to the external URL may wait as long as the longest poll of a client. Takes so many
 * seconds.
 */
async function checkSlowAnswer(externalUrl: string, secrets: Secrets, seconds: number): Promise<Outcome> {
  const startedAt = performance.now()
  const answer = await requestDoctorPage(externalUrl, secrets, seconds).catch((error: Error) => error)
  const waited = (performance.now() - startedAt) / 1_000
  if (!(answer instanceof Error) && answer.status === 200) {
    if (waited >= seconds) return ok(`A request to ${externalUrl} may wait for ${seconds} seconds.`)
    return warning(
      `The node at ${externalUrl} answered before ${seconds} seconds had passed: it is stopping, or has another version.`,
      'Run this check again when all nodes run this version.',
    )
  }
  const how = answer instanceof Error ? answer.message : `status ${answer.status}`
  return problem(
    `Requests to ${externalUrl} that wait are ended after ${Math.round(waited)} seconds (${how}), so clients lose their connection again and again.`,
    'Let every proxy wait for two minutes (nginx: proxy_read_timeout 120s; HAProxy: timeout server 120s).',
  )
}
