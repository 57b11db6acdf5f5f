import type { StreamId, UserId } from '@oxbow/contract'
import type { Person, World } from '@oxbow/testkit'
import { formula, repeat } from './costly-texts.ts'

/** Numbers of things in an organization. */
export interface Sizes {
  people: number
  streams: number
  groups: number
  membersPerGroup: number
  emoji: number
  linkifiers: number
  profileFields: number
  drafts: number
  scheduled: number
  mutedTopics: number
  attendedTopics: number
  alertWords: number
}

export interface FullOrganization {
  people: { id: UserId; full_name: string }[]
  groups: { id: number; name: string }[]
  streams: { id: StreamId; name: string }[]
}

/** Description of a stream. */
const description = repeat(formula, 1_000)
const longText = 'x'.repeat(950)

/**
 * Fills an organization with what its members and administrators may add, by SQL. The reader is subscribed to all
 * streams and is in all groups.
 */
export async function fillOrganization(
  { database, organization_id }: World,
  reader: Person,
  html: string,
  sizes: Sizes,
): Promise<FullOrganization> {
  const insert = <Row extends Record<string, unknown>>(text: string, ...values: unknown[]) =>
    database.query<Row>(text, [organization_id, ...values])
  const people = await insert<FullOrganization['people'][number]>(
    `insert into user_account (organization_id, delivery_email, full_name, role, api_key_hash, api_key_sealed)
     select $1, 'rose' || n || '@garden.example', 'Rose ' || n, 400, sha256(n::text::bytea), ''
     from generate_series(1, $2::int) n returning id::int, full_name`,
    sizes.people,
  )
  const streams = await insert<FullOrganization['streams'][number]>(
    `insert into stream (organization_id, name, folded_name, description, rendered_description, invite_only,
       history_public_to_subscribers, stream_post_policy)
     select $1, 'bed ' || n, 'bed ' || n, $3, $4, false, true, 1
     from generate_series(1, $2::int) n returning id::int, name`,
    sizes.streams,
    description,
    html.slice(0, 4_096),
  )
  await insert(
    `insert into subscription (organization_id, user_id, stream_id, is_active, color)
     select $1, $2::bigint, id, true, '#76ce90' from stream where organization_id = $1 and name like 'bed %'`,
    reader.user_id,
  )
  await insert(
    `insert into subscription_period (organization_id, user_id, stream_id, from_outbox_id, from_message_id)
     select $1, $2::bigint, id, 0, 0 from stream where organization_id = $1 and name like 'bed %'`,
    reader.user_id,
  )
  const groups = await insert<FullOrganization['groups'][number]>(
    `insert into user_group (organization_id, name, description)
     select $1, 'Group ' || n, $3 from generate_series(1, $2::int) n returning id::int, name`,
    sizes.groups,
    longText,
  )
  await insert(
    `insert into user_group_member (organization_id, group_id, user_id)
     select $1, g.id, u.id from user_group g,
       (select id from user_account where organization_id = $1 order by id limit $2) u where g.organization_id = $1`,
    sizes.membersPerGroup,
  )
  await insert(
    `insert into custom_emoji (organization_id, id, name, author_id, file)
     select $1, 1000000 + n, rpad('emoji_' || n, 100, 'x'), $3, n || '.png' from generate_series(1, $2::int) n`,
    sizes.emoji,
    reader.user_id,
  )
  await insert(
    `insert into linkifier (organization_id, pattern, url_format)
     select $1, 'x' || n || '(?P<id>[0-9]+)', 'https://x.example/' || repeat('y', 1800) || '%(id)s'
     from generate_series(1, $2::int) n`,
    sizes.linkifiers,
  )
  await insert(
    `insert into profile_field (organization_id, name, type, hint, field_data, position)
     select $1, 'Field ' || n, 2, 'hint', '', n from generate_series(1, $2::int) n`,
    sizes.profileFields,
  )
  await insert(
    `insert into profile_value (organization_id, user_id, field_id, value, rendered_value)
     select $1, u.id, f.id, $2, $3 from profile_field f, user_account u
     where f.organization_id = $1 and u.organization_id = $1 and u.full_name like 'Rose %'`,
    repeat(formula, Math.floor(10_000 / sizes.profileFields)),
    html.slice(0, Math.min(4_096, Math.floor(40_000 / sizes.profileFields))),
  )
  await insert(
    `insert into user_status (organization_id, user_id, is_away, status_text)
     select $1, id, true, repeat('🌹', 60) from user_account where organization_id = $1`,
  )
  await insert(
    `insert into draft (organization_id, user_id, type, recipients, topic, content, edited_at)
     select $1, $2::bigint, '', '{}', '', repeat('"', $4::int), n from generate_series(1, $3::int) n`,
    reader.user_id,
    sizes.drafts,
    Math.min(9_900, Math.floor(990_000 / sizes.drafts)),
  )
  await insert(
    `insert into scheduled_message (organization_id, sender_id, is_reminder, stream_id, topic, content, rendered_content,
       client, origin, is_read_by_sender, deliver_at, attempt_at)
     select $1, $2, false, (select min(id) from stream where organization_id = $1), 'roses', $4, $5, 'test',
       'http://localhost', true, now() + interval '1 year', now() + interval '1 year' from generate_series(1, $3::int) n`,
    reader.user_id,
    sizes.scheduled,
    repeat(formula, Math.min(9_900, 2_000_000 / sizes.scheduled)),
    html.slice(0, Math.floor(2_000_000 / sizes.scheduled)),
  )
  await insert(
    `insert into muted_topic (organization_id, user_id, stream_id, topic, folded_topic)
     select $1, $2::bigint, (select min(id) from stream where organization_id = $1), 'topic ' || n, 'topic ' || n
     from generate_series(1, $3::int) n`,
    reader.user_id,
    sizes.mutedTopics,
  )
  await insert(
    `insert into topic_attention (organization_id, user_id, stream_id, topic, folded_topic, policy)
     select $1, $2::bigint, (select max(id) from stream where organization_id = $1), 'topic ' || n, 'topic ' || n, 3
     from generate_series(1, $3::int) n`,
    reader.user_id,
    sizes.attendedTopics,
  )
  await insert(
    `insert into alert_word (organization_id, user_id, word, spelling)
     select $1, $2::bigint, rpad('word' || n, 100, 'x'), rpad('Word' || n, 100, 'x') from generate_series(1, $3::int) n`,
    reader.user_id,
    sizes.alertWords,
  )
  return { people, groups, streams }
}
