import type { OrganizationId } from '@oxbow/contract'
import type pg from 'pg'
import { eraseUserJob } from '../../erasure/continue-erasure.ts'
import type { Scope } from '../format/record-type.ts'
import { contentRefusal } from './refuse.ts'

/** Statements that compute derived rows and columns of the organization with id `$1`. */
const derived = [
  // A new field gets its id as its position. Imported fields get their ids in the old order, so
  // that new fields come last.
  `with placed as (
     select id, row_number() over (order by position, id) as place from profile_field where organization_id = $1
   ), ids as (
     select id, row_number() over (order by id) as place from profile_field where organization_id = $1
   )
   update profile_field f set position = ids.id from placed join ids using (place)
   where f.organization_id = $1 and f.id = placed.id`,
  `update stream s set first_message_id = first.id
   from (select recipient_id, min(id) as id from message where organization_id = $1 group by 1) as first
   where s.organization_id = $1 and s.id = first.recipient_id`,
  `insert into scheduled_sender (organization_id, user_id)
   select distinct organization_id, sender_id from scheduled_message where organization_id = $1`,
  `insert into event_head (organization_id, last_seq) values ($1, 0) on conflict do nothing`,
]

const isNoMessage = `not exists (
  select from message m where m.organization_id = each.organization_id and m.id = each.message_id)`

/** Conditions that no row may meet. Foreign keys check all other references. */
const forbidden: readonly [table: string, condition: string][] = [
  [
    'user_account',
    `bot_owner_id is not null and not exists (
       select from user_account o where o.organization_id = $1 and o.id = each.bot_owner_id and o.bot_type is null)`,
  ],
  [
    'message',
    `case when is_private
       then not exists (select from conversation c where c.organization_id = $1 and c.id = each.recipient_id)
         or recipient_id <> sent_recipient_id
       else not exists (select from stream s where s.organization_id = $1 and s.id = each.recipient_id)
         or not exists (select from stream s where s.organization_id = $1 and s.id = each.sent_recipient_id) end`,
  ],
  [
    'user_erasure',
    `not exists (
       select from user_account u where u.organization_id = $1 and u.id = each.user_id and u.erased_at is not null)`,
  ],
  ['message_edit', isNoMessage],
  ['message_stay', isNoMessage],
  ['reaction', isNoMessage],
  ['user_message', isNoMessage],
  ['read_mark', isNoMessage],
]

/**
 * Computes derived rows. Throws if a row refers to a message, stream or conversation that is
 * missing.
 */
export async function finishRows(
  client: pg.ClientBase,
  organization_id: OrganizationId,
  { scope, lastMessage }: { scope: Scope; lastMessage: number },
): Promise<void> {
  for (const [table, condition] of forbidden) {
    const { rows } = await client.query(
      `select from ${table} each where each.organization_id = $1 and (${condition}) limit 1`,
      [organization_id],
    )
    if (rows.length > 0)
      throw contentRefusal(
        `a record of the type ${table} refers to a missing record, or to one that it cannot refer to`,
      )
  }
  for (const statement of derived) await client.query(statement, [organization_id])
  // A public export does not contain which messages people have read, so all count as read.
  await client.query(
    `insert into user_setting (organization_id, user_id, read_to)
     select u.organization_id, u.id, $2::bigint from user_account u where u.organization_id = $1
     on conflict do nothing`,
    [organization_id, scope === 'public' ? lastMessage : 0],
  )
}

/**
 * Enqueues the jobs that complete erasures. Call it last: until the import commits, the statement may block other
 * transactions that enqueue the first long job of the server.
 */
export async function enqueueErasures(client: pg.ClientBase, organization_id: OrganizationId): Promise<void> {
  await client.query(
    `select graphile_worker.add_job(
       $2, json_build_object('organization_id', organization_id, 'user_id', user_id), $3)
     from user_erasure where organization_id = $1`,
    [organization_id, eraseUserJob.name, eraseUserJob.queue],
  )
}
