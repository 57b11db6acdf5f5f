import type pg from 'pg'

/**
 * Runs `work` in a transaction on this session; `inTransaction` would use another session from the
 * pool.
 */
export async function inSessionTransaction<Result>(
  client: pg.ClientBase,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
