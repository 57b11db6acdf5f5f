import assert from 'node:assert/strict'
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

test('server_settings returns version and authentication methods without credentials', async () => {
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
    realm_icon: '/static/images/default-icon.png?version=0',
    realm_description: '<p>Roses and more</p>',
  })
})

test('realm_description is HTML with escaped text', async () => {
  await world.database.query("update organization set description = '<script>roses</script>'")

  const { realm_description } = await settingsOf(world)

  assert.match(String(realm_description), /^<p>&[^<>]*script[^<>]*roses[^<>]*<\/p>$/)
})

test('server_settings ignores invalid credentials', async () => {
  const response = await request(world.nodes.a.url, { path, headers: { authorization: 'Basic nonsense' } })

  assert.equal(response.status, 200)
})

test('an organization without description and icon has the default ones', async () => {
  await using world = await startWorld()

  const { realm_description, realm_icon } = await settingsOf(world)

  assert.match(String(realm_description), /^<p>.+<\/p>$/)
  assert.equal((await request(world.nodes.a.url, { path: String(realm_icon) })).status, 200)
})

test('a root host without an organization returns server fields only', async () => {
  await using world = await startWorld({ organization: { name: 'Tea', subdomain: 'tea' } })

  const settings = await settingsOf(world)

  assert.deepEqual(
    Object.keys(settings).filter((name) => name.startsWith('realm_')),
    [],
  )
  assert.equal(settings.chat_version, '3.1')
  assert.equal(settings.email_auth_enabled, true)
})

test('authentication_methods are those that both server and organization enable', async () => {
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
    for (const [, disabled, methods] of cases.filter(([caseMode]) => caseMode === mode)) {
      await world.database.query('update organization set disabled_authentication_methods = $1', [disabled])
      const settings = await settingsOf(world)
      assert.deepEqual(settings.authentication_methods, { ...methods, ...absent, ...providers })
      assert.equal(settings.email_auth_enabled, methods.email)
    }
  }
})

test('legacy field names are sent to clients selected by compat.legacy_names', async () => {
  const [all, versions, none] = [{ names: true }, {}, { versions: false }].map((options) => ({
    names: false,
    versions: true,
    ...options,
  })) as [Expected, Expected, Expected]
  type Expected = { names: boolean; versions: boolean }
  const cases: Record<'auto' | 'always' | 'never', Record<string, Expected>> = {
    auto: {
      'ZulipPython/0.9.1': all,
      'zulipmobile/27.1 (iOS 13)': all,
      'NotZulip/1': versions,
      'MyScript/2': versions,
      'python-requests/2.28.1': versions,
      'curl/8.0': none,
      'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)': none,
      undici: none,
      'Mozilla/5.0 (X11; Linux x86_64)': none,
      'oxbow/0.1': none,
      '': none,
    },
    always: { 'ZulipPython/0.9.1': all, 'curl/8.0': all, '': all },
    never: { 'ZulipPython/0.9.1': none, 'MyScript/2': none },
  }
  const older = ['github', 'google', 'gitlab', 'azuread', 'apple']
  for (const [setting, agents] of Object.entries(cases)) {
    await using world = await startWorld({ config: { 'compat.legacy_names': setting as keyof typeof cases } })
    const { owner } = world
    for (const [agent, expected] of Object.entries(agents)) {
      const settings = await settingsOf(world, agent)
      const { zulip_version, zulip_feature_level, authentication_methods, chat_version } = settings
      const fields = expected.versions ? ['3.1', 27] : [undefined, undefined]
      assert.deepEqual([zulip_version, zulip_feature_level], fields, agent)
      assert.equal(chat_version, '3.1')
      const methods = authentication_methods as Record<string, boolean>
      for (const method of older) assert.equal(methods[method], expected.names ? false : undefined)
      const { body: state } = await request(world.nodes.a.url, {
        method: 'POST',
        path: '/api/v1/register',
        credentials: owner,
        headers: { 'user-agent': agent },
        form: { fetch_event_types: '["realm"]' },
      })
      assert.deepEqual(
        [state.zulip_version, state.zulip_feature_level, state.zulip_plan_is_not_limited],
        expected.versions ? ['3.1', 27, true] : [undefined, undefined, undefined],
        agent,
      )
    }
  }
})

test('a client with the reserved name is reported as incompatible', async () => {
  for (const [agent, expected] of [
    ['ChatInvalid/1.0', true],
    ['ZulipInvalid/5.0', true],
    ['ZulipInvalidish/5.0', false],
    ['Mozilla/5.0 ZulipInvalid', false],
  ] as const)
    assert.equal((await settingsOf(world, agent)).is_incompatible, expected, agent)
})
