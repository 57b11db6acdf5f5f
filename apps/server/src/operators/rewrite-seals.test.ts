import assert from 'node:assert/strict'
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { request, startWorld, testSecret } from '@oxbow/testkit'
import { sealedColumns } from '../features.ts'
import { resealColumn } from '../platform/secrets/reseal.ts'
import { rewriteSeals } from './rewrite-seals.ts'

// Seals of all organizations are counted, and other files store seals that cannot be opened.
const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const { database, owner } = world
const { app } = world.nodes.a

/** Seals a text as earlier releases did, without a binding. */
function sealUnbound(text: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', testSecret, 'oxbow', 'encryption', 32))
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

const readSealedKey = async (user_id: number) => {
  const [row] = await database.query<{ api_key_sealed: Buffer }>(
    'select api_key_sealed from user_account where id = $1',
    [user_id],
  )
  return row?.api_key_sealed as Buffer
}

async function signIn({ email: username, password }: { email: string; password: string }) {
  const path = '/api/v1/fetch_api_key'
  const form = { username, password }
  return (await request(world.nodes.b.url, { method: 'POST', path, form })).body.api_key
}

test('sealedColumns lists every column that contains seals', async () => {
  const columns = await database.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and column_name like '%\\_sealed' order by 1`,
  )
  const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`).sort()
  assert.deepEqual(
    listed,
    columns.map(({ name }) => name).filter((name) => !name.startsWith('server.')),
  )
})

test('the job binds seals of earlier releases to their rows', async () => {
  const iris = await world.person('iris')
  await database.query('update user_account set api_key_sealed = $1 where id = $2', [
    sealUnbound(iris.api_key),
    iris.user_id,
  ])
  assert.equal(await signIn(iris), iris.api_key)

  await rewriteSeals.run(app, {})
  const sealed = await readSealedKey(iris.user_id)
  assert.equal(await signIn(iris), iris.api_key)
  assert.throws(() => app.secrets.open(sealed, ['api key', world.organization_id, owner.user_id]))
  await rewriteSeals.run(app, {})
  assert.deepEqual(await readSealedKey(iris.user_id), sealed, 'a seal that is bound stays as it is')
})

test('the job rewrites unbound seals of links and bots, and skips unreadable ones', async () => {
  const { user_id } = await owner.bots.create({
    full_name: 'Hook',
    short_name: 'hook',
    bot_type: 2,
    service_name: 'github',
    config_data: { webhook_secret: 'plum' },
  })
  const origin = 'http://localhost'
  const { organization_id } = world
  await database.query('update bot_service set config_sealed = $1, token_sealed = $2 where user_id = $3', [
    sealUnbound('{"webhook_secret":"plum"}'),
    randomBytes(60),
    user_id,
  ])
  await database.query(
    `with change as (
       insert into email_change (organization_id, user_id, new_email, key_hash, key_sealed, origin)
       values ($1, $2, 'new@garden.example', sha256('a'), $3, $4)),
     reset as (
       insert into password_reset (organization_id, email, key_hash, key_sealed, origin)
       values ($1, 'forgetful@garden.example', sha256('d'), $3, $4)),
     invitation as (
       insert into invitation (organization_id, email, invited_by, role, key_hash, key_sealed, origin)
       values ($1, null, $2, 400, sha256('b'), $3, $4) returning id)
     insert into sign_up (organization_id, email, invitation_id, key_hash, key_sealed, origin)
     select $1, 'joiner@garden.example', id, sha256('c'), $3, $4 from invitation`,
    [organization_id, owner.user_id, sealUnbound('the key of a link'), origin],
  )
  for (const { table, id, column, boundColumns = [], ...sealed } of sealedColumns) {
    if (table === 'user_account') continue
    const done = await resealColumn(app, { table, id, column, boundColumns, ...sealed })
    const isDamaged = column === 'token_sealed'
    assert.deepEqual(
      done,
      { rewritten: isDamaged ? 0 : 1, unreadable: isDamaged ? 1 : 0 },
      `${table}.${column}`,
    )
    if (isDamaged) continue
    const rows = await database.query<{ sealed: Buffer }>(
      `select *, ${column} as sealed from ${table} where organization_id = $1 and ${column} is not null`,
      [organization_id],
    )
    const expected = table === 'bot_service' ? '{"webhook_secret":"plum"}' : 'the key of a link'
    for (const row of rows)
      assert.equal(app.secrets.open(row.sealed, sealed.binding(row as never)), expected, table)
  }
})
