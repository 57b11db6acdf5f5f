import { type Endpoint, type NamedEndpoint, type Params, permissionActionNames } from '@oxbow/contract'
import { schemaOf } from '@oxbow/contract/openapi'
import { basic, pngOf, type RawRequest } from '@oxbow/testkit'
import fc from 'fast-check'

type Schema = Record<string, unknown>

export interface Fixtures {
  /** An incoming-webhook bot. */
  hook: { email: string; api_key: string }
  callers: { email: string; api_key: string }[]
  /** Ids that exist, so that some requests find an object. */
  ids: number[]
  messages: number[]
  /** Ids of scheduled messages of the owner. */
  scheduled: number[]
  /** Ids of the owner's drafts. */
  drafts: number[]
  people: number[]
  bots: number[]
  /** Names of existing streams and stream groups. */
  names: string[]
  /** A text that must never appear in a response or in the log. */
  canary: string
}

function idsFor(name: string, { ids, messages, scheduled, drafts, people, bots }: Fixtures): number[] {
  if (name.includes('scheduled')) return scheduled
  if (name.includes('/drafts/')) return drafts
  if (name.includes('/bots/')) return bots
  if (name === 'bot_owner_id') return people
  return name.includes('message') ? messages : ids
}

/** Parameters that always cause a refusal. */
const refused = ['forged', 'sender', 'widget_content']

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']

const surrogateCount = 0x800
const firstSurrogate = 0xd800

/**
 * Any character except surrogates, like the unit `binary` of fast-check. That one builds a map of all million
 * characters, to find out which texts consist of them.
 */
const anyCharacter = fc.nat({ max: 0x10ffff - surrogateCount }).map(
  (number) => String.fromCodePoint(number < firstSurrogate ? number : number + surrogateCount),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined
    if (code === undefined || String.fromCodePoint(code) !== text) throw new Error('not a character')
    if (code < firstSurrogate) return code
    if (code < firstSurrogate + surrogateCount) throw new Error('a surrogate')
    return code - surrogateCount
  },
)

// Built once, because building a generator takes longer than drawing a thousand values from it.
const anyJson = fc.jsonValue({ maxDepth: 3 })
const anyText = fc.string({ unit: anyCharacter })
const shortText = fc.string({ unit: anyCharacter, maxLength: 30 })
const anyCharacters = fc.string({ unit: anyCharacter, maxLength: 50 })
const graphemes = fc.string({ unit: 'grapheme' })
const longGraphemes = fc.string({ unit: 'grapheme', maxLength: 120 })
const asciiText = fc.string()
const emailAddress = fc.emailAddress()
const newFullName = fc.stringMatching(/^[A-Z][a-z]{2,9} [A-Z][a-z]{2,9}$/)
const newShortName = fc.stringMatching(/^[a-z0-9]{8}$/)
const choices = fc.dictionary(
  asciiText,
  fc.record({ text: fc.string({ minLength: 1 }), order: fc.string({ minLength: 1 }) }),
  { maxKeys: 3 },
)
const externalAccount = fc.record({
  subtype: fc.constantFrom('custom', 'github', 'x'),
  url_pattern: fc.webUrl().map((url) => `${url}/%(username)s`),
})
const fieldData = fc.oneof(choices, externalAccount, fc.object({ maxDepth: 1 }))

/** Generates requests to an endpoint: correct ones, careless ones and attacks. */
export function requestsTo({ endpoint }: NamedEndpoint, fixtures: Fixtures): fc.Arbitrary<RawRequest> {
  if (endpoint.auth === 'webhook') return deliveriesTo(endpoint, fixtures)
  const wellFormed = fc.record({
    method: fc.constant(endpoint.method),
    path: pathTo(endpoint, fc.constantFrom(...idsFor(endpoint.path, fixtures)).map(String)),
    credentials: fc.constantFrom(...fixtures.callers),
    params: argumentsOf(endpoint, fixtures, false),
    how: fc.constantFrom('query', 'form', 'json', 'multipart'),
    files: filesFor(endpoint, { weight: 1 }),
  })
  const illFormed = fc.record({
    method: fc.oneof(
      { weight: 6, arbitrary: fc.constant(endpoint.method) },
      { arbitrary: fc.constantFrom(...methods), weight: 1 },
    ),
    path: pathTo(
      endpoint,
      fc.oneof(
        fc.constantFrom('0', '-1', '1.5', 'me', '%00', '99999999999999999999', '%F0%9F'),
        fc.nat().map(String),
      ),
    ),
    credentials: fc.option(fc.constantFrom(...fixtures.callers)),
    params: argumentsOf(endpoint, fixtures, true),
    how: fc.constantFrom('query', 'form', 'json', 'multipart', 'raw'),
    headers: fc.oneof(
      { weight: 4, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: oddHeaders(fixtures) },
    ),
    raw: rawBody(),
    files: filesFor(endpoint, { weight: 0 }),
  })
  // Well-formed requests encode JSON parameters as JSON. Ill-formed requests send texts without
  // quotes.
  const encode = (name: string, value: unknown) =>
    (endpoint.params as Params)[name]?.encoding === 'json' ? JSON.stringify(value) : asText(value)
  return fc.oneof(
    wellFormed.map((drawn) => toRequest(drawn, encode)),
    illFormed.map((drawn) => toRequest(drawn, (_, value) => asText(value))),
  )
}

/**
 * Generates deliveries of existing and unknown services, with the key in the URL, with the key in a
 * form, or without a key.
 */
function deliveriesTo(endpoint: Endpoint, fixtures: Fixtures): fc.Arbitrary<RawRequest> {
  const { hook, callers } = fixtures
  const article = { featured_title: 'Roses', featured_url: 'https://example.com/roses' }
  const json = fc
    .oneof(
      { weight: 3, arbitrary: fc.constant<object>(article) },
      fc.record({ featured_title: junk(fixtures), featured_url: fc.webUrl() }),
      fc.object(),
    )
    .map((value) => ({ type: 'application/json', body: JSON.stringify(value) }))
  const key = fc.oneof(
    { weight: 8, arbitrary: fc.constant<unknown>(hook.api_key) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(...callers.map(({ api_key }) => api_key)) },
    { weight: 1, arbitrary: junk(fixtures) },
  )
  const drawn = fc.record({
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constant('POST') },
      { weight: 1, arbitrary: fc.constantFrom(...methods) },
    ),
    integration: fc.oneof(
      { weight: 3, arbitrary: fc.constant('helloworld') },
      fc.constantFrom(
        'json',
        'github',
        'slack',
        'slack_incoming',
        'alertmanager',
        'trello',
        'travis',
        'zendesk',
        'nonesuch',
        '%00',
        '..',
      ),
    ),
    key: fc.option(key, { freq: 9 }),
    params: fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom<Record<string, unknown>>({}, { stream: 'garden' }) },
      argumentsOf(endpoint, fixtures, true),
    ),
    raw: fc.oneof({ weight: 3, arbitrary: json }, rawBody()),
    event: fc.option(fc.constantFrom('ping', 'push', 'issues', 'x')),
  })
  return drawn.map(({ method, integration, key: api_key, params, raw, event }) => {
    const { api_key: _, ...named } = params
    const all = api_key === null ? named : { ...named, api_key }
    const query = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, asText(value)]))
    const headers = { 'content-type': raw.type, ...(event && { 'x-github-event': event }) }
    const path = `/api/v1/external/${integration}`
    return method === 'GET' || method === 'HEAD'
      ? { method, path, query, headers }
      : { method, path, query, headers, body: raw.body }
  })
}

interface RawBody {
  type: string
  body: string
}

/**
 * Generates bodies that no form library would build: deeply nested, truncated, or with malformed
 * parts.
 */
function rawBody(): fc.Arbitrary<RawBody> {
  const header = fc.constantFrom(
    'Content-Disposition: form-data; name="full_name"',
    'Content-Disposition: form-data; name="f"; filename="a.txt"',
    'Content-Disposition: form-data',
    'nonsense',
  )
  const part = fc.tuple(header, shortText).map(([head, content]) => `--x\r\n${head}\r\n\r\n${content}\r\n`)
  const parts = fc.array(part, { minLength: 1, maxLength: 4 }).map((all) => `${all.join('')}--x--\r\n`)
  const depth = fc.integer({ min: 1, max: 8_000 })
  const deep = depth.map((levels) => `{"data":${'['.repeat(levels)}${']'.repeat(levels)}}`)
  const nonsense = fc.oneof(anyText, fc.constantFrom('', '{', '[]', 'null', 'a=%', '=&='))
  const maybeCut = (body: fc.Arbitrary<string>) =>
    fc.tuple(body, fc.option(fc.nat(150))).map(([text, at]) => (at === null ? text : text.slice(0, at)))
  const of = (type: string, body: fc.Arbitrary<string>) =>
    fc.record({ type: fc.constant(type), body: maybeCut(body) })
  return fc.oneof(
    of('multipart/form-data; boundary=x', parts),
    of('application/json', fc.oneof(deep, fc.json(), nonsense)),
    of('application/x-www-form-urlencoded', nonsense),
  )
}

interface Drawn {
  files: Record<string, Uint8Array> | null
  method: string
  path: string
  credentials: { email: string; api_key: string } | null
  params: Record<string, unknown>
  how: string
  headers?: Record<string, string>
  raw?: RawBody
}

function toRequest(
  { method, path, credentials, params, how, headers = {}, raw, files }: Drawn,
  encode: (name: string, value: unknown) => string,
): RawRequest {
  const common = { method, path, credentials: credentials ?? undefined, headers }
  const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, encode(name, value)]))
  // A GET has no body, so its parameters are sent in the query string.
  if (how === 'query' || method === 'GET' || method === 'HEAD') return { ...common, query: texts }
  if (files) return { ...common, multipart: texts, files }
  if (how === 'json') return { ...common, json: params }
  if (how === 'multipart') return { ...common, multipart: texts }
  if (how === 'raw' && raw)
    return { ...common, body: raw.body, headers: { 'content-type': raw.type, ...headers } }
  return { ...common, form: texts }
}

/**
 * Generates no file, one file or several. Few of them are pictures, because decoding pictures is
 * slow.
 */
function filesFor({ files }: Endpoint, { weight }: { weight: number }): Fuzzed {
  if (!files) return fc.constant(null)
  const content = fc.oneof(
    { weight: 4, arbitrary: fc.uint8Array({ maxLength: 2_000 }) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((tail) => Buffer.concat([picture, tail])) },
    { weight: 1, arbitrary: fc.nat(picture.length).map((end) => picture.subarray(0, end)) },
    { weight, arbitrary: fc.constant(picture) },
  )
  const names = fc.oneof(fc.constantFrom('a.png', '../../x', '', '\0', '"\r\n'), anyText)
  return fc.option(fc.dictionary(names, content, { minKeys: 0, maxKeys: files.maxFiles + 1 }))
}

type Fuzzed = fc.Arbitrary<Record<string, Uint8Array> | null>

const picture = pngOf(3, 3)

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function pathTo({ path }: Endpoint, segment: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const [start, ...ends] = path.split(/\{\w+\}/)
  return fc
    .tuple(...ends.map((end) => segment.map((text) => text + end)))
    .map((parts) => [start, ...parts].join(''))
}

function argumentsOf(
  endpoint: Endpoint,
  fixtures: Fixtures,
  careless: boolean,
): fc.Arbitrary<Record<string, unknown>> {
  const drawn = Object.entries(endpoint.params as Params)
    .filter(([name, param]) => param.location === 'arguments' && (careless || !refused.includes(name)))
    .map(([name, param]) => {
      const fitting = valueFor(name, schemaOf(param.schema, 'input'), fixtures)
      return [name, careless ? fc.oneof(fitting, junk(fixtures)) : fitting] as const
    })
  const record = fc.record(Object.fromEntries(drawn), { requiredKeys: [] })
  const unknown = fc.dictionary(
    fc.constantFrom('client', 'method', 'api_key', '__proto__', 'constructor'),
    junk(fixtures),
  )
  return careless ? fc.tuple(record, unknown).map(([declared, more]) => ({ ...more, ...declared })) : record
}

/** Generates a value that matches the schema, or nearly does. */
function valueFor(name: string, schema: Schema, fixtures: Fixtures): fc.Arbitrary<unknown> {
  const choices = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (choices) return fc.oneof(...choices.map((choice) => valueFor(name, choice, fixtures)))
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type) => valueFor(name, { ...schema, type }, fixtures)))
  switch (schema.type) {
    case 'boolean':
      return fc.boolean()
    case 'integer':
      if (name === 'scheduled_delivery_timestamp')
        return fc.constantFrom(4_102_444_800, 253_402_300_799, 253_402_300_800, 0, -1)
      if (name === 'invite_as') return fc.constantFrom(100, 200, 300, 400, 600)
      if (/^(stream_post_policy|bot_type)$/.test(name)) return fc.integer({ min: 0, max: 4 })
      if (/interface/.test(name)) return fc.constantFrom(1, 1, 2, 2, 3)
      if (/_policy$|^(email_address_visibility|digest_weekday|video_chat_provider)$/.test(name))
        return fc.constantFrom(0, 1, 1, 1, 1, 1, 9)
      return fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...idsFor(name, fixtures)) },
        { weight: 1, arbitrary: fc.integer({ min: 0, max: 9 }) },
        { weight: 1, arbitrary: fc.maxSafeInteger() },
      )
    case 'array':
      return fc.array(valueFor(name, schema.items as Schema, fixtures), { maxLength: 4 })
    case 'object':
      if (/^(storage|config_data)$/.test(name)) return fc.dictionary(anyText, graphemes, { maxKeys: 3 })
      if (name === 'authentication_methods')
        return fc.constantFrom({ Email: true }, { Email: true, LDAP: false }, { Email: false }, {})
      return objectOf(schema, fixtures)
    case 'null':
      return fc.constant(null)
    default:
      return textFor(name, fixtures)
  }
}

function objectOf(schema: Schema, fixtures: Fixtures): fc.Arbitrary<unknown> {
  const members = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  if (members.length > 0) {
    return fc.record(
      Object.fromEntries(members.map(([key, member]) => [key, valueFor(key, member, fixtures)])),
      { requiredKeys: (schema.required ?? []) as string[] },
    )
  }
  return fieldData
}

/** Valid values for parameters that accept only a few texts. */
const usable: Record<string, string[]> = {
  property: ['color', 'color', 'is_muted', 'in_home_view', 'pin_to_top', 'push_notifications'],
  // Values of stream settings and of profile fields.
  value: ['#76ce90', '#abc', '2026-02-03', 'https://example.com/iris'],
  color: ['#76ce90', '#abc'],
  op: ['add', 'remove', 'start', 'stop'],
  status: ['active', 'active', 'idle'],
  type: ['stream', 'private'],
  flag: ['read', 'starred', 'collapsed'],
  realm_str: [''],
  payload_url: ['https://example.com/hook', '"https://example.com/quoted"'],
  service_payload_url: ['https://example.com/hook'],
  default_language: ['en', 'de', 'pt-br'],
  anchor: ['newest', 'oldest', 'first_unread', '1'],
  operator: ['stream', 'topic', 'sender', 'is', 'in', 'near', 'has', 'streams', 'pm-with', 'id'],
  operand: ['garden', 'roses', 'private', 'unread', 'mentioned', 'home', 'link', 'public', '1'],
  propagate_mode: ['change_one', 'change_later', 'change_all'],
  topic: ['roses', 'Roses', 'weeds', '🌹'.repeat(60)],
  emoji_name: ['tada', 'congratulations', 'smile', 'chat'],
  emoji_code: ['1f389', '1f389', '263a', 'chat', '1'],
  reaction_type: ['unicode_emoji', 'unicode_emoji', 'realm_emoji', 'chat_extra_emoji'],
  message_retention_days: ['forever', 'realm_default'],
  pattern: ['#(?P<id>[0-9]+)', 'bed-(?P<id>\\w{2,8})', '(?P<id>(a*)*)', '#(?P<id>'],
  url_format_string: ['https://beds.example/%(id)s', 'https://beds.example/%(other)s', 'ftp:'],
  action: [...permissionActionNames],
  delivery_type: ['send_later', 'send_later', 'remind', 'send_now'],
  deliver_at: ['2099-01-02 10:00', '2099-01-02T10:00+05:30', '4102444800', '2020-01-01', 'soon'],
  tz_guess: ['Europe/Berlin', 'UTC', 'Mars/Olympus'],
  command: ['/ping', '/night', '/day', '/fluid-width', 'night'],
  domain: ['beds.example', 'Ponds.Example ', 'no-dot', '12'],
}

function textFor(name: string, fixtures: Fixtures): fc.Arbitrary<string> {
  const { canary, callers } = fixtures
  if (/password/.test(name)) return fc.constantFrom(canary, `${canary} and more`, '')
  if (/email|username|principals/.test(name)) {
    return fc.oneof(emailAddress, fc.constantFrom(...callers.map(({ email }) => email)), asciiText)
  }
  const any = fc.oneof(
    fc.constantFrom('Iris Gardener', '2026-02-03', 'https://example.com/iris', ''),
    longGraphemes,
  )
  const mostly = (arbitrary: fc.Arbitrary<string>) =>
    fc.oneof({ weight: 5, arbitrary }, { weight: 1, arbitrary: any })
  if (Object.hasOwn(usable, name)) return mostly(fc.constantFrom(...(usable[name] ?? [])))
  // A new name, which does not exist yet.
  if (name === 'full_name') return mostly(newFullName)
  if (name === 'short_name') return mostly(newShortName)
  if (/^default_\w+_stream$/.test(name)) return fc.oneof(fc.constant(''), nameIn(fixtures))
  if (/^(to|stream|name|new_name|stream_names|subscriptions|delete|(new_)?group_name)$/.test(name))
    return mostly(nameIn(fixtures))
  return any
}

/** Generates an existing name in various spellings, some of them malformed. */
function nameIn({ names }: Fixtures): fc.Arbitrary<string> {
  const same = (name: string) => name
  const spellings = [
    (name: string) => name.toUpperCase(),
    (name: string) => ` ${name}\n`,
    (name: string) => `"${name}"`,
    (name: string) => `${name} 🌱`,
    // Adds one half of a surrogate pair.
    (name: string) => `${name} \ud83c`,
    (name: string) => `${name}\0`,
  ]
  const spelling = fc.oneof(
    { weight: 3, arbitrary: fc.constant(same) },
    { weight: 2, arbitrary: fc.constantFrom(...spellings) },
  )
  return fc.tuple(fc.constantFrom(...names), spelling).map(([name, spell]) => spell(name))
}

function junk({ canary }: Fixtures): fc.Arbitrary<unknown> {
  return fc.oneof(
    anyJson,
    anyCharacters,
    fc.constantFrom(
      canary,
      '\0',
      '"\\u0000"',
      '[',
      '{"a":',
      'NaN',
      '1e999',
      '-0',
      'true',
      'null',
      '['.repeat(300),
    ),
  )
}

function oddHeaders({ canary, callers }: Fixtures): fc.Arbitrary<Record<string, string>> {
  const someone = callers[0] ?? { email: '', api_key: '' }
  const authorization = fc.constantFrom(
    'Basic',
    'Basic ???',
    `Bearer ${canary}`,
    `Basic ${canary}`,
    basic({ email: someone.email, api_key: canary }),
    basic({ email: canary, api_key: someone.api_key }),
    basic({ email: `${someone.email}:x`, api_key: someone.api_key }),
  )
  return fc.oneof(
    fc.record({ authorization }),
    fc.record({
      host: fc.constantFrom('hill.localhost', 'x', '[::1]', 'a.b.localhost', '"', canary.replaceAll(' ', '')),
    }),
    fc.record({
      'content-type': fc.constantFrom(
        'application/json',
        'multipart/form-data',
        'multipart/form-data; boundary=x',
        'text/plain',
        'application/x-www-form-urlencoded; charset=utf-16',
      ),
    }),
    fc.record({
      'x-request-id': fc.constantFrom(canary, 'fine-1', 'x'.repeat(500)),
      'user-agent': fc.constantFrom('ZulipPython/0.9.1', '/', canary),
    }),
  )
}
