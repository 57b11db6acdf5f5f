import type { TestDatabase } from '@oxbow/testkit'

/**
 * Sequences of ids, each of which gets its own range. Ids of different kinds and servers differ and have
 * eight digits, which distinguishes them from other numbers in a response.
 */
const sequences = [
  'organization_id_seq',
  'user_account_id_seq',
  'stream_id_seq',
  'user_group_id_seq',
  'custom_emoji_id',
  'upload_id_seq',
  'profile_field_id_seq',
  'default_stream_group_id_seq',
  'stream_folder_id_seq',
  'draft_id_seq',
  'scheduled_message_id_seq',
  'linkifier_id_seq',
  'organization_domain_id_seq',
  // An import skips millions of these ids, so no other range follows.
  'message_id',
] as const

/** Moves each sequence to its own range. The first range begins at `start`. */
export async function spreadIds({ query }: TestDatabase, start: number): Promise<void> {
  for (const [index, sequence] of sequences.entries())
    await query('select setval($1::regclass, $2)', [sequence, start + index * 2_000_000])
}

/** Tables with ids that responses contain. The accounts of the server itself have no organization. */
const tables = [
  'user_account',
  'stream',
  'conversation',
  'message',
  'submessage',
  'user_group',
  'custom_emoji',
  'upload',
  'profile_field',
  'default_stream_group',
  'stream_folder',
  'draft',
  'scheduled_message',
  'linkifier',
  'organization_domain',
]

/** Returns a name for each id of an organization that does not depend on the server, like `stream#3`. */
export async function nameIds(
  { query }: TestDatabase,
  organization_id: number,
): Promise<Map<string, string>> {
  const names = new Map([[String(organization_id), 'organization']])
  for (const table of tables) {
    const rows = await query<{ id: string }>(
      `select id::text from ${table} where organization_id = $1 order by id`,
      [organization_id],
    )
    for (const [index, { id }] of rows.entries()) names.set(id, `${table}#${index}`)
  }
  for (const { id, email } of await query<{ id: string; email: string }>(
    'select id::text, email from system_account',
  ))
    names.set(id, email)
  return names
}

/** Replacements for values that an import creates anew, and for the server generation. */
const newValues: [RegExp, string][] = [
  [/-[0-9a-f]{40}(?=(-medium)?\.(png|svg))/g, '-hash'],
  [/\/external_content\/[0-9a-f]{40}\//g, '/external_content/signature/'],
  [/"server_generation": \d+/g, '"server_generation": 0'],
  [/"(api_key|token|email_address)": ?"[^"]*"/g, '"$1":"new"'],
]

/** Returns a response as text, with names in place of ids, and fixed texts in place of new values. */
export function canonicalText(value: unknown, names: ReadonlyMap<string, string>): string {
  let text = JSON.stringify(value, undefined, 1)
  for (const [pattern, replacement] of newValues) text = text.replace(pattern, replacement)
  return text.replace(/\d{8,}/g, (digits) => names.get(digits) ?? digits)
}
