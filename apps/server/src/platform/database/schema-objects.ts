import type pg from 'pg'

/** A table or a part of one, a function, or a sequence. */
interface SchemaObject {
  /** Such as "the column topic of the table message". */
  name: string
  /** The table of a column, constraint, index or trigger. */
  table: string | null
  definition: string
}

/**
 * Reads the objects of the current schema, as PostgreSQL describes them. Leaves out what does not decide which
 * rows can be stored or what a statement does: owners, privileges, comments, storage parameters, statistics.
 * Also leaves out partitions, which are created while the server runs, and objects of extensions. The names in
 * definitions have no schema, so that the objects of two schemas can be compared.
 */
export async function readSchemaObjects(client: pg.ClientBase): Promise<SchemaObject[]> {
  const { rows } = await client.query<SchemaObject>(schemaQuery)
  return rows
}

const schemaQuery = `
  with own_class as (
    select c.* from pg_class c
    where relnamespace = current_schema()::regnamespace and not relispartition
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
  ), own_table as (
    select * from own_class where relkind in ('r', 'p')
  )
  select 'the table ' || relname as name, null as table,
    concat_ws(' ', case when relrowsecurity then 'with row security' end, case relpersistence when 'u' then 'unlogged' end,
      case relkind when 'p' then 'partition by ' || pg_get_partkeydef(oid) end) as definition
  from own_table
  union all
  select format('the column %s of the table %s', attname, relname), relname,
    concat_ws(' ', format_type(atttypid, atttypmod), 'collate ' || nullif(attcollation, typcollation)::regcollation::text,
      case when attnotnull then 'not null' end, 'identity ' || nullif(attidentity::text, ''),
      case when attgenerated <> '' then 'generated as' when adbin is not null then 'default' end, pg_get_expr(adbin, adrelid),
      'at position', row_number() over (partition by attrelid order by attnum))
  from own_table join pg_attribute on attrelid = own_table.oid and attnum > 0 and not attisdropped
  join pg_type on pg_type.oid = atttypid
  left join pg_attrdef on adrelid = attrelid and adnum = attnum
  union all
  -- PostgreSQL 18 also lists "not null" as constraints, which the columns include.
  select format('the constraint %s of the table %s', conname, relname), relname, pg_get_constraintdef(c.oid, true)
  from own_table join pg_constraint c on conrelid = own_table.oid and contype in ('c', 'f', 'p', 'u', 'x') and conparentid = 0
  union all
  select format('the index %s of the table %s', indexrelid::regclass, relname), relname, pg_get_indexdef(indexrelid, 0, true)
  from own_table join pg_index on indrelid = own_table.oid
  where not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
  union all
  select format('the trigger %s of the table %s', tgname, relname), relname,
    concat_ws(' ', case tgenabled when 'O' then null else 'not enabled:' end, pg_get_triggerdef(t.oid, true))
  from own_table join pg_trigger t on tgrelid = own_table.oid and not tgisinternal
  union all
  select 'the function ' || p.oid::regprocedure::text, null,
    concat_ws(E'\\n', pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), lanname, provolatile, proparallel, procost,
      proisstrict, prosecdef,
      (select string_agg(regexp_replace(setting, '^search_path=.*', 'search_path'), ' ' order by 1) from unnest(proconfig) setting),
      prosrc)
  from pg_proc p join pg_language l on l.oid = prolang where pronamespace = current_schema()::regnamespace and prokind = 'f'
  union all
  select 'the sequence ' || relname, null,
    concat_ws(' ', seqtypid::regtype, 'start', seqstart, 'increment', seqincrement, 'min', seqmin, 'max', seqmax)
  from own_class join pg_sequence on seqrelid = own_class.oid
  order by 1`

interface Difference {
  name: string
  expected: string | undefined
  found: string | undefined
}

/**
 * Returns the expected objects that are missing or different, and additions to the expected tables that can
 * refuse or change rows. Tables, functions and indexes that others added do no harm, except unique indexes.
 */
export function findDifferences(
  expected: readonly SchemaObject[],
  found: readonly SchemaObject[],
): Difference[] {
  const definitions = new Map(found.map(({ name, definition }) => [name, definition]))
  const names = new Set(expected.map(({ name }) => name))
  const wrong = expected
    .map(({ name, definition }) => ({ name, expected: definition, found: definitions.get(name) }))
    .filter((object) => object.found !== object.expected)
  const added = found
    .filter(({ name, table }) => table && names.has(`the table ${table}`) && !names.has(name))
    .filter(({ definition }) => !definition.startsWith('CREATE INDEX'))
    .map(({ name, definition }) => ({ name, expected: undefined, found: definition }))
  return [...wrong, ...added]
}

const maxListed = 20

/** Returns a list for the operator, one line for each difference. */
export function describeDifferences(differences: readonly Difference[]): string {
  const lines = differences.slice(0, maxListed).map((difference) => `- ${describe(difference)}`)
  const rest = differences.length - lines.length
  return [...lines, ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n')
}

function describe({ name, expected, found }: Difference): string {
  if (found === undefined) return `${name} is missing`
  if (expected === undefined) return `${name} was added: ${found}`
  if (name.startsWith('the function')) return `${name} was changed`
  return `${name} is "${found}" and should be "${expected}"`
}
