import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { eventually, request, startWorld } from '@oxbow/testkit'
import pg from 'pg'
import { connectionOptions } from '../src/platform/database/database.ts'

const world = await startWorld({ config: { log_level: 'debug' } })
after(() => world[Symbol.asyncDispose]())
const { url } = world.nodes.a

const linesOf = (request_id: string) =>
  eventually(() => {
    const lines = world.log.entries(10).filter((entry) => entry.request_id === request_id)
    return lines.some(({ msg }) => msg === 'request') && lines
  })
let count = 0
const ask = async (options: Parameters<typeof request>[1]) => {
  const id = `logging-${count++}`
  const response = await request(url, { ...options, headers: { 'x-request-id': id } })
  const lines = await linesOf(id)
  return { response, lines, line: lines.find(({ msg }) => msg === 'request') ?? {} }
}

test('a request is logged with its route, its status and the address of the client', async () => {
  const { line } = await ask({ path: `/api/v1/users/${world.owner.user_id}`, credentials: world.owner })

  assert.equal(line.level, 'info')
  assert.equal(line.route, '/api/v1/users/{user_id}')
  assert.deepEqual([line.status, line.code, line.ip], [200, undefined, '127.0.0.1'])
})

test('a refused request is logged with the code of its error', async () => {
  const { line } = await ask({
    method: 'PATCH',
    path: '/api/v1/users/999999',
    credentials: world.owner,
    form: { full_name: 'Nobody Here' },
  })

  assert.deepEqual([line.route, line.status, line.code], ['/api/v1/users/{user_id}', 400, 'BAD_REQUEST'])
})

const secret = 'k3y0fAL1nk'
const paths = [
  `/join/${secret}`,
  `/accounts/do_confirm/${secret}`,
  `/accounts/first/${secret}`,
  `/accounts/confirm_new_email/${secret}`,
  `/accounts/password/reset/${secret}`,
  `/user_avatars/1/${secret}.png?api_key=${secret}`,
  `/api/v1/external/github?api_key=${secret}&stream=${secret}`,
  `/api/v1/events?queue_id=${secret}`,
  `/nowhere/${secret}`,
  `/join/%zz${secret}`,
  `/api/v1/users/${secret}%00`,
]
for (const path of paths)
  test(`no log line contains the key in ${path.replaceAll(secret, '…')}`, async () => {
    for (const method of ['GET', 'POST', 'DELETE']) await ask({ path, method })

    assert.ok(!world.log.text.includes(secret))
  })

test('a request that waited too long for a lock is logged with that reason, not as an unreachable PostgreSQL', async () => {
  const holder = new pg.Client(connectionOptions(world.database.url))
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table user_account in access exclusive mode')
  const before = world.log.lines.length
  // Cancels the waiting statement, because a test cannot wait for the statement timeout.
  const refused = ask({ path: '/api/v1/users', credentials: world.owner })
  let isOver = false
  refused.finally(() => (isOver = true)).catch(() => {})
  while (!isOver) {
    await holder.query(
      `select pg_cancel_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    await setTimeout(20)
  }
  const { response, lines, line } = await refused
  await holder.query('rollback')
  await holder.end()

  assert.equal(response.status, 503)
  assert.equal(line.code, 'SERVICE_UNAVAILABLE')
  const warning = lines.find(({ level }) => level === 'warn')
  assert.equal(warning?.msg, 'a request was refused with 503: a statement took too long')
  assert.doesNotMatch(world.log.lines.slice(before).join(''), /cannot be reached/)
  assert.doesNotMatch(response.text, /reached/)
})

test('a failed job is logged with its name, the reason and whether it is retried', async () => {
  await world.database.query(
    `select graphile_worker.add_job('mail_invitation', '{"id": "no number"}', max_attempts => 1)`,
  )

  const failed = await eventually(() => world.log.entries(40).find(({ job }) => job === 'mail_invitation'))

  assert.equal(failed.level, 'error')
  assert.equal(failed.msg, 'a job failed and is given up')
  assert.deepEqual([failed.attempt, failed.max_attempts], [1, 1])
  assert.ok((failed.err as Error).message.length > 0)
})
