import { appendFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import type { Statement } from './workshop.ts'

/** What PostgreSQL does for statements that take too long, to be read afterwards. */
export class PlanFile {
  path: string | undefined

  async add(session: pg.Client, what: string, { text, values }: Statement): Promise<void> {
    this.path ??= join(mkdtempSync(join(tmpdir(), 'oxbow-plans-')), 'plans.txt')
    const given = values.map((value) =>
      value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`,
    )
    appendFileSync(this.path, `\n===== ${what}\n${text}\n\n${given.join(', ')}\n`)
    // As the server's sessions have it.
    await session.query('set jit = off')
    await session.query(`prepare explained as ${text}`)
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await session.query(`set plan_cache_mode = ${mode}`)
      const { rows } = await session.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, buffers) execute explained${given.length > 0 ? `(${given.join(', ')})` : ''}`,
      )
      appendFileSync(this.path, `\n--- ${mode}\n${rows.map((row) => row['QUERY PLAN']).join('\n')}\n`)
    }
    await session.query('reset plan_cache_mode')
    await session.query('reset jit')
    await session.query('deallocate explained')
  }
}
