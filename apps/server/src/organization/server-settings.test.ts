import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, test } from 'node:test'
import { request, startWorld, type World } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())

const path = '/api/v1/server_settings'
const settingsOf = async ({ nodes }: World, userAgent = 'curl/8.0') => {
  const { status, body } = await request(nodes.b.url, { path, headers: { 'user-agent': userAgent } })
  assert.equal(status, 200)
  return body
}

const absent = { ldap: false, remoteuser: false, saml: false }
const providers = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`ext_provider_${n}`, false]))

test('anyone learns what the server is and how to sign in', async () => {
  await world.database.query("update organization set description = 'Roses and more'")

  const { server_version, ...settings } = await settingsOf(world)

  assert.match(String(server_version), /^\d+\.\d+\.\d+/)
  assert.deepEqual(settings, {
    result: 'success',
    msg: '',
    authentication_methods: { password: true, dev: false, email: true, ...absent, ...providers },
    external_authentication_methods: [],
    chat_version: '3.1',
    chat_feature_level: 27,
    push_notifications_enabled: false,
    is_incompatible: false,
    email_auth_enabled: true,
    require_email_format_usernames: true,
    realm_uri: world.nodes.b.url,
    realm_name: 'The Garden',
    realm_icon: `https://secure.gravatar.com/avatar/${hash('md5', `organization ${world.organization_id}`)}?d=identicon`,
    realm_description: '<p>Roses and more</p>',
  })
})

test('a description is HTML in which nothing of the text is markup', async () => {
  await world.database.query("update organization set description = '<script>roses</script>'")

  const { realm_description } = await settingsOf(world)

  assert.match(String(realm_description), /^<p>&[^<>]*script[^<>]*roses[^<>]*<\/p>$/)
})

test('credentials are not looked at', async () => {
  const answer = await request(world.nodes.a.url, { path, headers: { authorization: 'Basic nonsense' } })

  assert.equal(answer.status, 200)
})

test('an organization without a description has a stock one, and our own icon without a provider', async () => {
  await using world = await startWorld({ config: { avatar_provider_url: 'off' } })

  const { realm_description, realm_icon } = await settingsOf(world)

  assert.match(String(realm_description), /^<p>.+<\/p>$/)
  assert.equal((await request(world.nodes.a.url, { path: String(realm_icon) })).status, 200)
})

test('a root host without an organization tells of the server alone', async () => {
  await using world = await startWorld({ organization: { name: 'Tea', subdomain: 'tea' } })

  const settings = await settingsOf(world)

  assert.deepEqual(
    Object.keys(settings).filter((name) => name.startsWith('realm_')),
    [],
  )
  assert.equal(settings.chat_version, '3.1')
  assert.equal(settings.email_auth_enabled, true)
})

test('methods are those that both server and organization have', async () => {
  const cases: [
    mode: 'production' | 'development',
    disabled: string,
    methods: Record<'password' | 'email' | 'dev', boolean>,
  ][] = [
    ['production', '{}', { password: true, email: true, dev: false }],
    ['production', '{Email,Dev}', { password: false, email: false, dev: false }],
    ['development', '{}', { password: true, email: true, dev: true }],
    ['development', '{Email}', { password: false, email: false, dev: true }],
    ['development', '{Dev}', { password: true, email: true, dev: false }],
  ]
  for (const mode of ['production', 'development'] as const) {
    await using world = await startWorld({ config: { mode } })
    for (const [, disabled, methods] of cases.filter(([each]) => each === mode)) {
      await world.database.query('update organization set disabled_authentication_methods = $1', [disabled])
      const settings = await settingsOf(world)
      assert.deepEqual(settings.authentication_methods, { ...methods, ...absent, ...providers })
      assert.equal(settings.email_auth_enabled, methods.email)
    }
  }
})

test('older names are for clients that ask for them, for all or for none', async () => {
  const cases = {
    auto: {
      'ZulipPython/0.9.1': true,
      'zulipmobile/27.1 (iOS 13)': true,
      'curl/8.0': false,
      'NotZulip/1': false,
    },
    always: { 'ZulipPython/0.9.1': true, 'curl/8.0': true },
    never: { 'ZulipPython/0.9.1': false, 'curl/8.0': false },
  } as const
  const older = ['github', 'google', 'gitlab', 'azuread', 'apple']
  for (const [setting, agents] of Object.entries(cases)) {
    await using world = await startWorld({ config: { 'compat.legacy_names': setting as keyof typeof cases } })
    for (const [agent, expected] of Object.entries(agents)) {
      const settings = await settingsOf(world, agent)
      const { zulip_version, zulip_feature_level, authentication_methods, chat_version } = settings
      assert.deepEqual([zulip_version, zulip_feature_level], expected ? ['3.1', 27] : [undefined, undefined])
      assert.equal(chat_version, '3.1')
      const methods = authentication_methods as Record<string, boolean>
      for (const method of older) assert.equal(methods[method], expected ? false : undefined)
    }
  }
})

test('a client with the reserved name is incompatible', async () => {
  for (const [agent, expected] of [
    ['ChatInvalid/1.0', true],
    ['ZulipInvalid/5.0', true],
    ['ZulipInvalidish/5.0', false],
    ['Mozilla/5.0 ZulipInvalid', false],
  ] as const)
    assert.equal((await settingsOf(world, agent)).is_incompatible, expected, agent)
})
