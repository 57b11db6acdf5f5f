import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Role } from '@oxbow/contract'
import { fetchAt, startWorld } from '@oxbow/testkit'
import { findFirstAccountLink } from '../../operators/first-account.ts'
import { createOrganizationWithoutOwner } from '../../people/users/create-organization.ts'

const world = await startWorld({ config: { external_url: 'https://chat.example', mode: 'production' } })
after(() => world[Symbol.asyncDispose]())
const { app } = world.nodes.a

const owner = { full_name: 'Iris Gardener', email: 'iris@garden.example', password: 'heron lake 77 reeds' }

/** Creates an organization without accounts, and returns its id and the path of its link. */
async function createEmpty(subdomain: string) {
  const { organization_id } = await createOrganizationWithoutOwner(app, { name: 'The Pond', subdomain })
  const origin = `https://${subdomain}.chat.example`
  const link = (await findFirstAccountLink(app, { subdomain, origin })) ?? ''
  assert.ok(link.startsWith(`${origin}/accounts/first/`))
  return { organization_id, host: `${subdomain}.chat.example`, path: new URL(link).pathname }
}

/** Opens a page, or sends its form, as a browser does. */
async function visit(host: string, path: string, form?: Record<string, string>, site = 'same-origin') {
  const response = await fetchAt(host)(`${world.nodes.b.url}${path}`, {
    method: form ? 'POST' : 'GET',
    headers: { accept: 'text/html', 'sec-fetch-site': site },
    ...(form && { body: new URLSearchParams(form) }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const listAccounts = (organization_id: number) =>
  world.database.query(
    'select id, role, full_name, delivery_email from user_account where organization_id = $1 and bot_type is null',
    [organization_id],
  )

test('the first-account form creates the owner of the organization and signs them in', async () => {
  const { organization_id, host, path } = await createEmpty('pond')
  const page = await visit(host, path)
  const done = await visit(host, path, owner)
  const again = await visit(host, path, { ...owner, email: 'otto@garden.example' })

  assert.match(page.text, /<h1>Create the first account of The Pond<\/h1>/)
  assert.deepEqual([page.status, done.status, again.status], [200, 303, 404])
  assert.match(String(done.headers.get('set-cookie')), /HttpOnly/)
  const [account, ...others] = await listAccounts(organization_id)
  assert.deepEqual(others, [])
  assert.deepEqual(
    [account?.role, account?.full_name, account?.delivery_email],
    [Role.owner, owner.full_name, owner.email],
  )
  const streams = await world.database.query(
    `select stream.name from subscription join stream using (organization_id)
    where stream.id = stream_id and organization_id = $1 and user_id = $2 order by 1`,
    [organization_id, account?.id],
  )
  assert.deepEqual(
    streams.map(({ name }) => name),
    ['core team', 'general'],
  )
  assert.equal(await findFirstAccountLink(app, { subdomain: 'pond', origin: 'https://x' }), undefined)
})

test('a refused form explains each field and creates no account', async () => {
  const { organization_id, host, path } = await createEmpty('brook')
  const wrong = await visit(host, path, { full_name: '*', email: 'nonsense', password: 'password' })
  const foreign = await visit(host, path, owner, 'cross-site')

  assert.deepEqual([wrong.status, foreign.status], [400, 403])
  for (const text of ['not an e-mail address', 'longer or less common', 'at least two characters'])
    assert.ok(wrong.text.includes(text), text)
  assert.ok(!wrong.text.includes('value="password"'))
  assert.deepEqual(await listAccounts(organization_id), [])
})

test('the first refused field of the form has the focus', async () => {
  const { host, path } = await createEmpty('spring')
  const findFocused = async (form?: Record<string, string>) => {
    const { text } = await visit(host, path, form)
    const [first = ''] = text.match(/<input[^>]* autofocus[^>]*>/) ?? []
    return /name="(\w+)"/.exec(first)?.[1]
  }
  assert.equal(await findFocused(), 'full_name')
  assert.equal(await findFocused({ ...owner, password: 'short' }), 'password')
  assert.equal(await findFocused({ ...owner, email: 'nonsense', password: 'short' }), 'email')
})

test('forged and expired keys and keys of another organization are refused', async () => {
  const { organization_id, host, path } = await createEmpty('marsh')
  const other = await createEmpty('fen')
  const [expires = '', signature = ''] = (path.split('/').at(-1) ?? '').split('-')
  const keys = [
    'x',
    `${Number(expires) + 1}-${signature}`,
    `1-${signature}`,
    `${expires}-${'0'.repeat(64)}`,
    other.path.split('/').at(-1),
  ]
  for (const key of keys) {
    assert.equal((await visit(host, `/accounts/first/${key}`)).status, 404, key)
    assert.equal((await visit(host, `/accounts/first/${key}`, owner)).status, 404, key)
  }
  assert.deepEqual(await listAccounts(organization_id), [])
})

test('only one of two concurrently submitted forms creates an account', async () => {
  const { organization_id, host, path } = await createEmpty('lake')
  const sent = await Promise.all([
    visit(host, path, owner),
    visit(host, path, { ...owner, email: 'otto@garden.example' }),
  ])
  assert.deepEqual(sent.map(({ status }) => status).sort(), [303, 404])
  assert.equal((await listAccounts(organization_id)).length, 1)
})

test('no first-account link is made for an organization that has had an account', async () => {
  assert.equal(await findFirstAccountLink(app, { subdomain: '', origin: 'https://chat.example' }), undefined)
})
