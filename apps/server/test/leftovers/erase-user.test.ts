import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { eraseUserByOperator, getPersonToErase } from '@oxbow/server'
import { eventually, expectSameState, type Person, startWorld, type World } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { type Filled, fillFeatures, listProblems } from './fill-features.ts'
import { findInDatabase, findInFiles } from './find-text.ts'

const makeMarks = () => ({ common: `zqcommon${randomInt(1e9)}`, own: `zqown${randomInt(1e9)}` })

/** Tables that may keep erased texts: old events remain until their part of the log is dropped. */
const keptInLog = ['event_batch']

async function hasFinished({ database, organization_id }: World): Promise<boolean> {
  const running = await database.query('select from user_erasure where organization_id = $1', [
    organization_id,
  ])
  return running.length === 0
}

async function listTexts({ owner }: World) {
  const { messages } = await owner.messages.list({
    anchor: 'oldest',
    num_before: 0,
    num_after: 100,
    apply_markdown: false,
  })
  return new Map<number, { content: string; sender_full_name: string }>(
    messages.map(({ id, content, sender_full_name }) => [id, { content, sender_full_name }]),
  )
}

const isRefused = ({ status }: { status: number }) => status === 400 || status === 401 || status === 403

async function expectErased(world: World, { person }: Filled, own: string): Promise<void> {
  await eventually(async () => (await findInFiles(world.files_dir, own)).length === 0)
  await eventually(async () => {
    const found = await findInDatabase(world.database, own)
    return found.every((table) => keptInLog.includes(table))
  }).catch(async () => assert.deepEqual(await findInDatabase(world.database, own), keptInLog))
  const avatars = `avatars/${world.organization_id}/${person.user_id}/`
  await eventually(async () => (await Array.fromAsync(world.nodes.a.app.files.list(avatars))).length === 0)
}

test('erasing a person with their messages, interrupted at every step, leaves only records of the event log', async () => {
  await using world = await startWorld({ ownServer: true })
  const marks = makeMarks()
  const filled = await fillFeatures(world, marks)
  const { person, mentioning, sent, told } = filled
  assert.ok((await findInDatabase(world.database, marks.own)).length > 20)
  assert.notDeepEqual(await findInFiles(world.files_dir, marks.own), [])
  // Delays the job, so that no node completes the interrupted erasure.
  await world.database.query(`
    create function delay_job() returns trigger language plpgsql as $$ begin
      if new.payload ->> 'user_id' is not null then new.run_at := now() + interval '1 day'; end if; return new;
    end $$;
    create trigger delay_job before insert on graphile_worker._private_jobs for each row execute function delay_job()`)
  const { app } = world.nodes.a

  let interruptions = 0
  for (;;) {
    const found = await getPersonToErase(app, '', String(person.user_id))
    const erasing = eraseUserByOperator(app, found, {
      deletesMessages: true,
      onProgress: () => {
        throw new Error('interrupted')
      },
    })
    const error = await erasing.then(
      () => undefined,
      (thrown: Error) => thrown.message,
    )
    if (error === undefined) break
    assert.equal(error, 'interrupted')
    interruptions++
    await assert.rejects(person.on('b').users.me(), isRefused)
    await assert.rejects(world.owner.users.reactivate({ user_id: person.user_id }), isRefused)
    const { members } = await world.owner.users.list()
    const shown = members.find(({ user_id }) => user_id === person.user_id)
    assert.equal(shown?.full_name, 'Deleted user')
  }

  assert.ok(interruptions >= 5, `${interruptions} interruptions`)
  await world.database.query(`
    drop trigger delay_job on graphile_worker._private_jobs;
    update graphile_worker._private_jobs set run_at = now()`)
  await expectErased(world, filled, marks.own)
  const texts = await listTexts(world)
  assert.ok(!texts.has(sent) && !texts.has(told))
  const id = person.user_id
  assert.equal(
    texts.get(mentioning)?.content,
    `Again @**Deleted user|${id}** wrote, and @_**Deleted user|${id}** said so. ${marks.common}`,
  )
  assert.deepEqual(listProblems(world), [])
})

test('after an owner erases a person and keeps the messages, states updated by events equal fresh states', async () => {
  await using world = await startWorld()
  const { owner } = world
  const marks = makeMarks()
  const filled = await fillFeatures(world, marks)
  const { person, sent, told, mentioning } = filled
  const reader = await world.person('reader')

  await expectSameState(world, { owner, reader }, async () => {
    await owner.users.erase({ user_id: person.user_id })
    await eventually(() => hasFinished(world))
  })

  const texts = await listTexts(world)
  assert.deepEqual(
    [sent, told].map((id) => texts.get(id)?.sender_full_name),
    ['Deleted user', 'Deleted user'],
  )
  assert.match(texts.get(mentioning)?.content ?? '', /^Again @\*\*Deleted user\|/)
  const kept = new Set([
    'event_batch',
    'message',
    'message_edit',
    'submessage',
    'upload',
    'link_page',
    'link_preview_request',
  ])
  const found = await eventually(async () => {
    const tables = await findInDatabase(world.database, marks.own)
    return tables.every((table) => kept.has(table)) && tables
  })
  assert.ok(found.includes('message'))
  assert.deepEqual(
    await world.database.query('select from message where organization_id = $1 and content like $2', [
      world.organization_id,
      `note to self%`,
    ]),
    [],
  )
  await owner.users.erase({ user_id: person.user_id, delete_messages: true })
  await eventually(() => hasFinished(world))
  await expectErased(world, filled, marks.own)
})

test('the only owner, bots and people of other organizations cannot be erased, and nobody but owners can erase', async () => {
  await using world = await startWorld()
  const { owner } = world
  const [iris] = await world.people('iris')
  const second = await world.person('second', 'owner')
  const admin = await world.person('ada', 'administrator')
  const bot = await world.bot('mower', iris)
  const erase = (by: Person, whom: Person) => by.users.erase({ user_id: whom.user_id })

  await assert.rejects(erase(admin, iris), isRefused)
  await assert.rejects(erase(iris, iris), isRefused)
  await assert.rejects(erase(bot, iris), isRefused)
  await assert.rejects(erase(owner, bot), /No such user/)
  const { owner: stranger } = await world.addOrganization(`hill${randomInt(1e9)}`)
  await assert.rejects(erase(stranger, iris), /No such user/)
  await assert.rejects(erase(owner, stranger), /No such user/)

  await erase(owner, second)
  await assert.rejects(erase(owner, owner), /only organization owner/)
  const fetching = world
    .anonymous()
    .authentication.fetchApiKey({ username: second.email, password: second.password })
  await assert.rejects(fetching)
  await assert.rejects(second.users.me(), isRefused)
  await assert.rejects(owner.users.reactivate({ user_id: second.user_id }), /was erased/)
})

test('erasing a person keeps e-mails that other organizations send to the same address', async () => {
  await using world = await startWorld({ ownServer: true })
  const [iris] = await world.people('iris')
  const addJob = (organization: string, to: string, organization_id?: number) =>
    world.database.query(
      `select graphile_worker.add_job('mail_password_changed', $1::json, run_at => now() + interval '1 day')`,
      [JSON.stringify({ to, organization, organization_id, language: 'en' })],
    )
  // Jobs of the release before have no id.
  await addJob('The Garden', iris.email.toUpperCase())
  await addJob('The former name', iris.email, world.organization_id)
  await addJob('The Garden', 'other@garden.example')
  await addJob('The Hill', iris.email)
  await addJob('The Garden', iris.email, world.organization_id + 1)

  await world.owner.users.erase({ user_id: iris.user_id })

  const jobs = await world.database.query<{ organization: string; to: string }>(
    `select payload ->> 'organization' as organization, payload ->> 'to' as to
     from graphile_worker._private_jobs where payload ->> 'to' is not null order by 1, 2`,
  )
  assert.deepEqual(jobs, [
    { organization: 'The Garden', to: iris.email },
    { organization: 'The Garden', to: 'other@garden.example' },
    { organization: 'The Hill', to: iris.email },
  ])
})

test('erasing a person replaces the name in saved responses only where it is a name', async () => {
  await using world = await startWorld()
  const { owner, database, organization_id } = world
  const [iris] = await world.people('iris')
  await owner.users.update({ user_id: iris.user_id, full_name: 'success' })
  const answer = {
    result: 'success',
    success: 'success',
    members: [{ full_name: 'success', email: iris.email, user_id: iris.user_id }],
    subscribed: { [iris.email]: ['success'] },
    message: { sender_full_name: 'success', content: 'success' },
  }
  await database.query(
    `insert into idempotent_answer (organization_id, user_id, key, fingerprint, answer)
     values ($1, $2, 'kept', '', $3)`,
    [organization_id, owner.user_id, JSON.stringify(answer)],
  )

  await owner.users.erase({ user_id: iris.user_id })

  const [saved] = await database.query<{ answer: object }>(
    "select answer from idempotent_answer where organization_id = $1 and key = 'kept'",
    [organization_id],
  )
  const email = `deleted-user-${iris.user_id}@erased.invalid`
  assert.deepEqual(saved?.answer, {
    result: 'success',
    success: 'success',
    members: [{ full_name: 'Deleted user', email, user_id: iris.user_id }],
    subscribed: { [email]: ['success'] },
    message: { sender_full_name: 'Deleted user', content: 'success' },
  })
})

test('a message whose text was rendered before an erasure and stored after it loses the name with the later search', async () => {
  await using world = await startWorld()
  const { owner, database, organization_id } = world
  const [iris] = await world.people('iris')
  const garden = await world.stream('late', { members: [owner] })
  const content = 'Ask @**Iris Gardener**.'
  const id = await sendToStream(owner, garden, 'roses', content)
  const readText = async () => {
    const [message] = await database.query<{ content: string; html: string }>(
      'select content, rendered_content as html from message where organization_id = $1 and id = $2',
      [organization_id, id],
    )
    return message
  }
  const rendered = await readText()
  await owner.users.erase({ user_id: iris.user_id })
  await eventually(() => hasFinished(world))
  await database.query(
    'update message set content = $3, rendered_content = $4 where organization_id = $1 and id = $2',
    [organization_id, id, rendered?.content, rendered?.html],
  )

  await database.query(
    "update graphile_worker._private_jobs set run_at = now() where (payload ->> 'user_id')::bigint = $1",
    [iris.user_id],
  )

  await eventually(async () => (await readText())?.content !== content)
  const replaced = await readText()
  assert.equal(replaced?.content, `Ask @**Deleted user|${iris.user_id}**.`)
  assert.ok(!replaced.html.includes('Iris'))
})
