import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, request, signIn, startMailServer, startWorld, type World } from '@oxbow/testkit'
import { submitRegistration } from '@oxbow/testkit/calls/joining'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'

// Without a web client, the page at / has the link to the form.
const world = await startWorld({ config: { web_dir: '/nowhere' } })
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const accept = 'text/html,*/*;q=0.8'

/** Opens the page, or posts these addresses, in the browser of a signed-in person. */
async function visit(person: Person, emails?: string, at: World = world) {
  const { headers } = await signIn(at, person)
  return request(at.nodes.b.url, {
    path: '/invite',
    headers: { ...headers, accept },
    ...(emails !== undefined && { method: 'POST', form: { emails } }),
  })
}

const showsLink = async (person: Person) => {
  const { headers } = await signIn(world, person)
  const { text } = await request(world.nodes.b.url, { path: '/', headers: { ...headers, accept } })
  return text.includes('href="/invite"')
}

test('a server without e-mail shows one link for each address, and a person can join with it', async () => {
  const { stream_id } = await world.stream('garden')
  await owner.defaultStreams.add({ stream_id })

  const { status, text } = await visit(owner, 'ann@x.example, bob@x.example')

  assert.equal(status, 200)
  const paths = [...text.matchAll(/<code>[^<]*(\/accounts\/do_confirm\/\w+)<\/code>/g)].map(
    ([, path]) => path,
  )
  assert.equal(paths.length, 2)
  assert.equal((await submitRegistration(world, paths[0] ?? '')).status, 303)
})

test('addresses that cannot be invited are refused with a reason, and stay in the field', async () => {
  for (const [emails, reason] of [
    ['', /is not an e-mail address/],
    ['ann@x.example, nonsense', /is not an e-mail address/],
    [owner.email, /have an account already/],
  ] as const) {
    const { status, text } = await visit(owner, emails)
    assert.equal(status, 400)
    assert.match(text, reason)
    assert.ok(text.includes(`value="${emails}"`))
  }
})

test('valid addresses get their link, and the others are listed with the reason', async () => {
  const { status, text } = await visit(owner, `dora@x.example, ${owner.email}`)

  assert.equal(status, 200)
  assert.match(text, /have an account already/)
  assert.match(text, /dora@x\.example<\/dt><dd><code>[^<]*\/accounts\/do_confirm\//)
})

test('the page gives the reason if nobody was invited', async () => {
  const { text: nobody } = await visit(owner, owner.email)
  assert.match(nobody, /Nobody was invited: these people have an account already/)
  await using small = await startWorld({ config: { invites_per_day: 1 } })
  const { stream_id } = await small.stream('garden')
  const missing = await visit(small.owner, 'a@x.example', small)
  assert.match(missing.text, /The organization has no default stream yet/)
  await small.owner.defaultStreams.add({ stream_id })
  const usedUp = await visit(small.owner, 'a@x.example, b@x.example', small)
  assert.match(usedUp.text, /more invitations than the organization may send today/)
  assert.deepEqual([missing.status, usedUp.status], [400, 400])
  assert.deepEqual((await small.owner.invitations.list()).invites, [])
})

test('the text above a single link is in the singular', async () => {
  const { text } = await visit(owner, `edna@x.example, ${owner.email}`)

  assert.match(text, /Send this link to the person yourself; it works once\./)
})

test('people who may not invite others see the reason on the page', async () => {
  const [novice, gwen] = [await world.person('novice'), await world.person('gwen', 'guest')]
  const reason = async (person: Person) => {
    const shown = [await visit(person), await visit(person, 'fay@x.example')]
    assert.deepEqual(
      shown.map(({ status }) => status),
      [403, 403],
    )
    return shown.map(({ text }) => /<h1>[^<]*<\/h1>\s*<p>([^<]*)<\/p>/.exec(text)?.[1])
  }
  assert.match((await reason(gwen)).join(), /^(Guests cannot invite people\..*){2}$/)
  await setOrganizationRules(world, 'invite_required = false')
  assert.match((await reason(novice)).join(), /^(Your account is too new\..*){2}$/)
  assert.deepEqual([await showsLink(novice), await showsLink(owner)], [false, true])
  await setOrganizationRules(world, 'invite_required = true')
  assert.deepEqual(await showsLink(novice), true)
})

test('only people who may invite see the page and the link to it, and others must sign in first', async () => {
  const iris = await world.person('iris')
  const gus = await world.person('gus', 'guest')
  assert.deepEqual([await showsLink(iris), await showsLink(gus)], [true, false])
  await setOrganizationRules(world, 'invite_by_admins_only = true')
  assert.deepEqual([await showsLink(iris), await showsLink(owner)], [false, true])
  for (const person of [iris, gus])
    for (const emails of [undefined, 'eve@x.example']) assert.equal((await visit(person, emails)).status, 403)
  await setOrganizationRules(world, 'invite_by_admins_only = false')

  const stranger = await request(world.nodes.a.url, { path: '/invite', headers: { accept } })
  assert.deepEqual([stranger.status, stranger.headers.get('location')], [302, '/login?next=%2Finvite'])
  const invited = (await owner.invitations.list()).invites.map(({ email }) => email)
  assert.ok(!invited.includes('eve@x.example'))
})

test('a server with e-mail sends the invitation and shows no link', async () => {
  await using mail = await startMailServer()
  await using mailing = await startWorld({ config: { smtp_url: mail.url, external_url: 'http://localhost' } })
  const { stream_id } = await mailing.stream('garden')
  await mailing.owner.defaultStreams.add({ stream_id })

  const { status, text } = await visit(mailing.owner, 'cara@x.example', mailing)

  assert.equal(status, 200)
  assert.ok(!text.includes('do_confirm'))
  assert.match((await mail.waitForEmail('cara@x.example')).text, /\/accounts\/do_confirm\//)
})
