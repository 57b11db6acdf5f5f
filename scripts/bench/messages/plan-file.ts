import { appendFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import type { Statement } from './in-process-server.ts'

/** Writes the plans of slow statements to a file. */
export class PlanFile {
  path: string | undefined

  async add(session: pg.Client, label: string, { text, values }: Statement): Promise<void> {
    this.path ??= join(mkdtempSync(join(tmpdir(), 'oxbow-plans-')), 'plans.txt')
    const literals = values.map((value) =>
      value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`,
    )
    appendFileSync(this.path, `\n===== ${label}\n${text}\n\n${literals.join(', ')}\n`)
    // Uses the same setting as the sessions of the server.
    await session.query('set jit = off')
    await session.query(`prepare explained as ${text}`)
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await session.query(`set plan_cache_mode = ${mode}`)
      const { rows } = await session.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, buffers) execute explained${literals.length > 0 ? `(${literals.join(', ')})` : ''}`,
      )
      appendFileSync(this.path, `\n--- ${mode}\n${rows.map((row) => row['QUERY PLAN']).join('\n')}\n`)
    }
    await session.query('reset plan_cache_mode')
    await session.query('reset jit')
    await session.query('deallocate explained')
  }
}
