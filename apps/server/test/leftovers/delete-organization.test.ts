import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  deleteOrganizationByOperator,
  getOrganizationToDelete,
  listOrganizations,
  reactivateOrganization,
} from '@oxbow/server'
import {
  eventually,
  type NodeName,
  openQueue,
  type Person,
  startS3Server,
  startWorld,
  type World,
} from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import { deleteJobs } from '../../src/administration/organization-deletion/queries.ts'
import { fillFeatures, listProblems } from './fill-features.ts'
import { countOwnedRows, findInDatabase, findInFiles } from './find-text.ts'

const marks = { common: 'zqcommon', own: 'zqowner' }
/** Tables that keep the id of a deleted organization for two days. */
const tablesWithDeletedId = ['event_head', 'organization_deletion']
/** Number of steps after which each attempt is interrupted. */
const stepsPerAttempt = bySize({ gate: 9, long: 2 })
const nodeNames: readonly NodeName[] = ['a', 'b']
const isRefused = (error: { status: number }) => error.status === 401

type Progress = Parameters<typeof deleteOrganizationByOperator>[2]

async function runDeletion({ nodes }: World, onProgress?: Progress) {
  const { app } = nodes.a
  return deleteOrganizationByOperator(app, await getOrganizationToDelete(app, 'The Garden', ''), onProgress)
}

/** Starts a poll on each node, and returns promises of their outcomes. */
async function pollEverywhere({ nodes, organization_id }: World, person: Person) {
  return Promise.all(
    nodeNames.map(async (node) => {
      const queue = await openQueue(person, { event_types: ['reaction'] })
      const ending = queue.poll({}, node).catch((error: unknown) => error)
      const { organizations } = nodes[node].app.events.log
      await eventually(
        () => organizations.get(organization_id as never)?.queues.get(queue.queue_id)?.listener,
      )
      return { ending }
    }),
  )
}

/** Asserts that a message of another organization arrives on both nodes, and that no node logged a problem. */
async function expectService(world: World, hill: Person) {
  await Promise.all(Array.from({ length: 30 }, () => hill.users.me()))
  const queues = await Promise.all(nodeNames.map(() => openQueue(hill, { event_types: ['message'] })))
  const { id } = await hill.messages.send({ type: 'private', to: [hill.user_id], content: 'still here' })
  for (const [index, queue] of queues.entries()) {
    const events = await queue.poll({}, nodeNames[index])
    const ids = events.map((event) => (event as { message?: { id: number } }).message?.id)
    assert.deepEqual(ids, [id])
  }
  assert.deepEqual(listProblems(world), [])
}

test('deleting an organization, interrupted many times, refuses its users meanwhile and leaves no data', async () => {
  await using world = await startWorld({ ownServer: true })
  const { database, files_dir, organization_id, nodes } = world
  const { app } = nodes.a
  const { owner: hill, organization_id: hillId } = await world.addOrganization('hill')
  const { person } = await fillFeatures(world, marks)
  const before = await countOwnedRows(database, organization_id)
  const unfilled = [...before].filter(([table, count]) => count === 0 && table !== 'outbox')
  assert.deepEqual(
    unfilled,
    [
      ['organization_deletion', 0],
      ['organization_import', 0],
      ['user_erasure', 0],
    ],
    'every table must be filled to prove anything',
  )
  assert.notDeepEqual(await findInFiles(files_dir, marks.own), [])
  const hillBefore = await countOwnedRows(database, hillId)
  const waiting = await pollEverywhere(world, person)

  let interruptions = 0
  for (;;) {
    let steps = 0
    const deleting = runDeletion(world, () => {
      if (++steps === stepsPerAttempt) throw new Error('interrupted')
    })
    const error = await deleting.then(
      () => undefined,
      (thrown: Error) => thrown.message,
    )
    if (error === undefined) break
    assert.equal(error, 'interrupted')
    interruptions++
    for (const node of nodeNames) await assert.rejects(person.on(node).users.me(), isRefused)
  }

  assert.ok(interruptions >= bySize({ gate: 5, long: 50 }), `${interruptions} interruptions`)
  for (const { ending } of waiting) assert.equal(((await ending) as { status: number }).status, 401)
  const remaining = [...(await countOwnedRows(database, organization_id))].filter(([, count]) => count > 0)
  assert.deepEqual(
    remaining.map(([table]) => table),
    tablesWithDeletedId,
  )
  for (const mark of Object.values(marks)) {
    assert.deepEqual(await findInDatabase(database, mark), [])
    assert.deepEqual(await findInFiles(files_dir, mark), [])
  }
  const hillAfter = await countOwnedRows(database, hillId)
  // A job may count messages meanwhile.
  for (const [table, count] of hillBefore)
    if (table === 'traffic_count') assert.ok((hillAfter.get(table) ?? 0) >= count, table)
    else if (!table.startsWith('event_')) assert.equal(hillAfter.get(table), count, table)
  const subdomains = (await listOrganizations(app.db)).map(({ subdomain }) => subdomain)
  assert.deepEqual(subdomains, ['hill'])
  await expectService(world, hill)

  // A request that began before the deletion stores a file and an event.
  await app.files.put(`uploads/${organization_id}/ab/cd`, Buffer.from('late zqfile'))
  await database.query(
    `insert into outbox (organization_id, header, event)
     values ($1, '{"type":"typing"}', '{"type":"typing","zqlate":1}')`,
    [organization_id],
  )
  await eventually(async () => (await findInDatabase(database, 'zqlate')).includes('event_batch'))
  const finish = () => database.query(`select graphile_worker.add_job('finish_organization_deletions')`)
  await finish()
  await eventually(async () => (await findInDatabase(database, 'zqlate')).length === 0)
  assert.deepEqual(await findInFiles(files_dir, 'zqfile'), [])
  await database.query(`update organization_deletion set deleted_at = now() - interval '49 hours'`)
  await finish()
  await eventually(async () => {
    const counts = await countOwnedRows(database, organization_id)
    return [...counts.values()].every((count) => count === 0)
  })
  await expectService(world, hill)
})

test('an organization whose deletion has begun cannot be reactivated by any command or node', async () => {
  await using world = await startWorld()
  const { app } = world.nodes.a
  await assert.rejects(
    runDeletion(world, () => {
      throw new Error('stopped')
    }),
    /stopped/,
  )

  await assert.rejects(reactivateOrganization(app, ''), /is being deleted/)
  await assert.rejects(
    world.database.query('update organization set deactivated_at = null where id = $1', [
      world.organization_id,
    ]),
    /organization_deletion_check/,
  )
  await runDeletion(world)
})

/** Deletes the jobs that tests put off until tomorrow, because later tests use the same server. */
async function deleteTestJobs({ database }: World): Promise<void> {
  await database.query(
    `delete from graphile_worker._private_jobs
     where job_queue_id in (select id from graphile_worker._private_job_queues where queue_name = 'test')
       or (payload ->> 'to' is not null and run_at > now() + interval '1 hour')`,
  )
}

test('deleting an organization keeps its running jobs of a queue, whose end releases the queue', async () => {
  await using world = await startWorld()
  const { database, organization_id, nodes } = world
  for (const name of ['waiting', 'running'])
    await database.query(
      `select graphile_worker.add_job(
         'erase_user', json_build_object('organization_id', $1::int, 'name', $2::text), 'test', now() + interval '1 day')`,
      [organization_id, name],
    )
  await database.query(
    `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'test' where payload ->> 'name' = 'running'`,
  )
  await using _jobs = { [Symbol.asyncDispose]: () => deleteTestJobs(world) }

  await deleteJobs(nodes.a.app.db, { id: organization_id as never, name: 'The Garden' })

  const jobs = await database.query<{ name: string }>(
    `select payload ->> 'name' as name from graphile_worker._private_jobs
     where payload ->> 'name' is not null and (payload ->> 'organization_id')::int = $1`,
    [organization_id],
  )
  assert.deepEqual(jobs, [{ name: 'running' }])
})

test('deleting an organization keeps e-mails of another one with the same name and person', async () => {
  await using world = await startWorld()
  const { database, organization_id, nodes, owner } = world
  const name = 'The Garden'
  for (const id of [organization_id, organization_id + 1, undefined])
    await database.query(
      `select graphile_worker.add_job('mail_password_changed', $1::json, run_at => now() + interval '1 day')`,
      [JSON.stringify({ organization_id: id, to: owner.email, organization: name, language: 'en' })],
    )

  await using _jobs = { [Symbol.asyncDispose]: () => deleteTestJobs(world) }

  await deleteJobs(nodes.a.app.db, { id: organization_id as never, name })

  const jobs = await database.query<{ id: number }>(
    `select (payload ->> 'organization_id')::int as id from graphile_worker._private_jobs
     where payload ->> 'to' = $1 and run_at > now() + interval '1 hour'`,
    [owner.email],
  )
  assert.deepEqual(jobs, [{ id: organization_id + 1 }])
})

test('deleting an organization removes its files from an object store', {
  skip: bySize<string | false>({
    gate: 'runs in the long lane: the object store takes long to start',
    long: false,
  }),
}, async () => {
  const s3 = await startS3Server()
  await using world = await startWorld({ ownServer: true, config: await s3.createBucket() })
  const { files } = world.nodes.a.app
  await fillFeatures(world, marks)
  const listKeys = async () => (await Array.fromAsync(files.list(''))).map(({ key }) => key)
  const kinds = new Set((await listKeys()).map((key) => key.split('/')[0]))
  assert.deepEqual([...kinds].sort(), ['avatars', 'emoji', 'organizations', 'uploads'])

  await runDeletion(world)

  assert.deepEqual(await listKeys(), [])
})
