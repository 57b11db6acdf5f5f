import type pg from 'pg'

/**
 * Drops the indexes of the tables except for one, runs `work` and creates them again. This is much
 * faster than inserting with indexes.
 */
export async function withoutIndexes(
  session: pg.Client,
  { tables, except }: { tables: readonly string[]; except: string },
  work: () => Promise<void>,
): Promise<void> {
  const { rows: indexes } = await session.query<{ drop: string; create: string }>(
    `select
       case when c.oid is null then format('drop index %s', i.indexrelid::regclass)
         else format('alter table %s drop constraint %I', i.indrelid::regclass, c.conname) end as drop,
       case when c.oid is null then pg_get_indexdef(i.indexrelid)
         else format('alter table %s add constraint %I %s', i.indrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) end as create
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u')
     where i.indrelid = any($1::regclass[]) and i.indexrelid <> $2::regclass`,
    [tables, except],
  )
  for (const { drop } of indexes) await session.query(drop)
  await work()
  await session.query(`set maintenance_work_mem = '1GB'`)
  for (const { create } of indexes) await session.query(create)
  await session.query('reset maintenance_work_mem')
}
