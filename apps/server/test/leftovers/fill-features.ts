import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Person, pngOf, request, type World } from '@oxbow/testkit'

/** Unique words, by which a test finds data that was not deleted. */
export interface Marks {
  /** Part of texts that belong to the organization. */
  common: string
  /** Part of the name, the address and all texts of the person. */
  own: string
}

export interface Filled {
  person: Person
  /** A stream of the organization, with messages of the person and of others. */
  stream_id: number
  /** A message of the owner that mentions the person. */
  mentioning: number
  /** A message of the person in the stream. */
  sent: number
  /** A private message of the person to the owner. */
  told: number
}

/**
 * Uses every feature that stores something, as the owner and as a new person. Tables whose features need other
 * servers or hours are filled with SQL. Every table with an organization gets at least one row.
 */
export async function fillFeatures(world: World, { common, own }: Marks): Promise<Filled> {
  const { owner, organization_id, database } = world
  const person = await world.person(own)
  const { stream_id } = await world.stream(`${common} stream`, {
    members: [owner, person],
    description: `${common} description`,
  })
  const { stream_id: second } = await world.stream(`${common} second`, { members: [owner, person] })
  const as =
    (caller: Person) =>
    async (what: string, form: Record<string, unknown> = {}, files?: Record<string, Uint8Array>) => {
      const [method = '', path = ''] = what.split(' ')
      const texts = Object.fromEntries(
        Object.entries(form).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      )
      const { status, body } = await request(world.nodes.a.url, {
        method,
        path: `/api/v1${path}`,
        credentials: caller,
        headers: { 'idempotency-key': randomUUID() },
        ...(files ? { files, multipart: texts } : { form: texts }),
      })
      assert.equal(status, 200, `${what}: ${JSON.stringify(body)}`)
      return body
    }
  const [manage, act] = [as(owner), as(person)]
  const picture = pngOf(40, 40)

  await manage('POST /realm/icon', {}, { 'icon.png': picture })
  await manage(`POST /realm/emoji/${common}`, {}, { 'emoji.png': picture })
  await manage('POST /realm/filters', {
    pattern: `${common}#(?P<id>[0-9]+)`,
    url_format_string: `https://${common}.example/%(id)s`,
  })
  await manage('POST /realm/domains', { domain: `${common}.example`, allow_subdomains: false })
  const { id: field } = await manage('POST /realm/profile_fields', { name: common, hint: '', field_type: 1 })
  await manage('POST /default_streams', { stream_id })
  await manage('POST /default_stream_groups/create', {
    group_name: `${common} group`,
    description: common,
    stream_names: [`${common} second`],
  })
  const { channel_folder_id } = await manage('POST /channel_folders/create', {
    name: common,
    description: common,
  })
  await manage(`PATCH /streams/${stream_id}`, { folder_id: channel_folder_id })
  const group = { description: common, members: [person.user_id] }
  const { id: outer } = await manage('POST /user_groups/create', { ...group, name: common })
  const { id: inner } = await manage('POST /user_groups/create', { ...group, name: `${common} inner` })
  await manage(`POST /user_groups/${outer}/subgroups`, { add: [inner] })
  await database.query(
    `with added as (
       insert into invitation (organization_id, email, invited_by, role, key_hash, key_sealed, origin)
       values ($1, $2, $3, 400, $4, $4, 'http://garden.example') returning id)
     insert into invitation_stream select $1, added.id, $5 from added`,
    [organization_id, `invited@${common}.example`, owner.user_id, Buffer.from(common), stream_id],
  )

  await act('POST /users/me/avatar', {}, { 'avatar.png': picture })
  await act('PATCH /users/me/profile_data', { data: [{ id: field, value: own }] })
  await act('POST /users/me/status', { status_text: own, away: false })
  await act('POST /users/me/alert_words', { alert_words: [own] })
  await act('POST /users/me/android_gcm_reg_id', { token: own })
  await act('PUT /users/me/stream_sections', {
    stream_sections: [{ kind: 'own', name: own, stream_ids: [stream_id] }],
  })
  await act('PATCH /users/me/subscriptions/muted_topics', { stream_id, topic: own, op: 'add' })
  await act(`POST /users/me/muted_users/${owner.user_id}`)
  await act('POST /user_topics', { stream_id, topic: `${own} followed`.slice(0, 60), visibility_policy: 3 })
  await act('POST /drafts', {
    drafts: [{ type: 'stream', to: [stream_id], topic: own, content: `draft ${own}`, timestamp: 1 }],
  })
  const { uri } = await act('POST /user_uploads', {}, { [`${own}.txt`]: Buffer.from(`file of ${own}`) })
  const { uri: held } = await act(
    'POST /user_uploads',
    {},
    { [`${own}2.txt`]: Buffer.from(`held by ${own}`) },
  )
  await act('POST /scheduled_messages', {
    type: 'stream',
    to: stream_id,
    topic: own,
    content: `later ${own} [held](${held})`,
    scheduled_delivery_timestamp: Math.floor(Date.now() / 1_000) + 86_400,
  })
  const send = async (by: typeof act, form: Record<string, unknown>) =>
    (await by('POST /messages', form)).id as number
  const toStream = { type: 'stream', to: stream_id, topic: 'roses' }
  const sent = await send(act, { ...toStream, content: `hello ${own} [file](${uri})` })
  await act(`PATCH /messages/${sent}`, { content: `edited ${own} [file](${uri})` })
  const told = await send(act, { type: 'private', to: [owner.user_id], content: `secret ${own}` })
  await send(act, { type: 'private', to: [person.user_id], content: `note to self ${own}` })
  const poll = await send(act, { ...toStream, content: `/poll ${own}\none\ntwo` })
  await act('POST /submessage', {
    message_id: poll,
    msg_type: 'widget',
    content: JSON.stringify({ type: 'new_option', idx: 3, option: own }),
  })
  const name = `${own[0]?.toUpperCase()}${own.slice(1)} Gardener`
  const mentioning = await send(manage, {
    ...toStream,
    content: `@**${name}** wrote, and @_**${name}|${person.user_id}** said so. ${common}`,
  })
  await manage(`PATCH /messages/${mentioning}`, {
    content: `Again @**${name}** wrote, and @_**${name}|${person.user_id}** said so. ${common}`,
  })
  await send(manage, { ...toStream, content: `/poll Ask @**${name}**?\nyes` })
  await manage('POST /messages/render', { content: `Shall we ask @**${name}**?` })
  // The notice about the new stream waits, because nodes of tests send none.
  await act('POST /users/me/subscriptions', { subscriptions: [{ name: `${common} third` }] })
  const moved = await send(manage, { ...toStream, topic: 'moved', content: `moved ${common}` })
  await manage(`PATCH /messages/${moved}`, { stream_id: second, propagate_mode: 'change_all' })
  await act(`POST /messages/${mentioning}/reactions`, { emoji_name: 'tada' })
  await act('POST /messages/flags', { messages: [mentioning], op: 'add', flag: 'read' })
  await act('POST /users/me/presence', { status: 'active' })
  await act('POST /register', { event_types: ['message'] })
  const bot = await world.bot(`${common}helper`, person)
  await as(bot)('PUT /bot_storage', { storage: { [common]: common } })
  await world.bot(`${common}hook`, person, 3)

  const sql = (text: string, ...values: unknown[]) =>
    database.query(text, [organization_id, person.user_id, own, ...values])
  const bytes = Buffer.from(own)
  const address = `${own}@garden.example`
  await sql(
    `insert into session (organization_id, user_id, token_hash, expires_at, is_trusted, user_agent, address)
     values ($1, $2, $4, now() + interval '1 day', true, $3, '192.0.2.1')`,
    bytes,
  )
  await sql(
    `insert into email_change (organization_id, user_id, new_email, key_hash, key_sealed, origin)
     values ($1, $2, 'new' || $3 || '@garden.example', $4, $4, 'http://garden.example')`,
    bytes,
  )
  await sql(
    `insert into password_reset (organization_id, user_id, email, key_hash, key_sealed, origin, network)
     values ($1, $2, $4, convert_to($3, 'utf8'), $5, 'http://garden.example', '192.0.2.1')`,
    address,
    bytes,
  )
  await sql(
    `insert into sign_up (organization_id, email, key_hash, key_sealed, origin)
     select $1, $4, convert_to($3, 'utf8'), convert_to($3, 'utf8'), 'http://garden.example' where $2 > 0`,
    address,
  )
  await sql(`insert into login_attempt select $1, $4, array[now()] where $2 > 0 and $3 <> ''`, address)
  await sql(
    `insert into sign_in_failure (organization_id, username, network, judged_at)
     select $1, $4, '192.0.2.1', now() where $2 > 0 and $3 <> ''`,
    address,
  )
  await sql(
    `insert into sign_in_network (organization_id, user_id, network) select $1, $2, '192.0.2.1' where $3 <> ''`,
  )
  await sql(
    `insert into data_export (organization_id, acting_user_id, origin, finished_at)
     select $1, $4, 'http://garden.example', now() where $2 > 0 and $3 <> ''`,
    owner.user_id,
  )
  await sql(`insert into own_export (organization_id, user_id) select $1, $2 where $3 <> ''`)
  await sql(`insert into invited_user select $1, $2, $4 where $3 <> ''`, owner.user_id)
  await sql(`insert into owner_notice select $1, $4, now() where $2 > 0 and $3 <> ''`, bot.user_id)
  await sql(
    `insert into webhook_failure (organization_id, bot_id, integration, code, reason, query, headers, body, body_bytes, is_signed, owner_id)
     values ($1, $4, 'helloworld', 'X', $3, $3, '{}', convert_to($3, 'utf8'), 1, false, $2)`,
    bot.user_id,
  )
  await sql(
    `insert into link_page (organization_id, url, requested_by, claimed_until, title)
     values ($1, 'https://example.com/' || $3, $2, now(), $3)`,
  )
  await sql(
    `insert into link_preview_request (organization_id, message_id, sender_id, links, content_hash, due_at)
     values ($1, $4, $2, array['https://example.com/' || $3], '', now() + interval '1 day')`,
    sent,
  )
  await sql(
    `insert into outgoing_webhook_call (organization_id, bot_id, message_id, due_at)
     select $1, $5, $4, now() + interval '1 day' where $2 > 0 and $3 <> ''`,
    sent,
    bot.user_id,
  )
  await sql(
    `insert into message_stay select $1, $4, $5, 1, 2 where $2 > 0 and $3 <> '' on conflict do nothing`,
    sent,
    stream_id,
  )
  await sql(`insert into stream_traffic select $1, $4, current_date, 1 where $2 > 0 and $3 <> ''`, stream_id)
  await sql(`insert into traffic_count select $1, 1 where $2 > 0 and $3 <> '' on conflict do nothing`)
  await sql(
    `insert into unfinished_upload (path_id, organization_id) select 'late/' || $2, $1 where $3 <> ''`,
  )
  await sql(
    `select graphile_worker.add_job('mail_email_changed', json_build_object('to', 'old', 'new_email', $4::text, 'organization', 'The Garden'), run_at => now() + interval '1 day')
     where $1 > 0 and $2 > 0 and $3 <> ''`,
    address,
  )
  return { person, stream_id, mentioning, sent, told }
}

/** Lists problems in the log, except that an hourly job cannot open the seals that `fillFeatures` makes up. */
export const listProblems = ({ log }: World) =>
  log.problems().filter(({ msg }) => !String(msg).startsWith('seals do not open'))
