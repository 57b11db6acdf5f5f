import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameStatement } from './traced-client.ts'

test('a statement is named by its kind and its first table or function, without values', () => {
  const cases = [
    ['select "id" from "message" where "id" = $1', 'select message'],
    ['insert into "outbox" ("id") values ($1)', 'insert outbox'],
    ['update "user_account" set "role" = $1', 'update user_account'],
    ['/* ad hoc */ select * from message join stream on true', 'select message'],
    ['\n    with found as (select 1 from draft) select * from found', 'with draft'],
    ['select extract(epoch from now() - seen_at) from event_queue', 'select event_queue'],
    ['select extract(epoch from clock_timestamp())', 'select'],
    ['select a is distinct from b from draft', 'select draft'],
    ['select pg_advisory_xact_lock($1)', 'select'],
    ['savepoint before_send', 'savepoint'],
    ['', 'statement'],
  ] as const
  for (const [text, name] of cases) assert.equal(nameStatement(text), name)
})
