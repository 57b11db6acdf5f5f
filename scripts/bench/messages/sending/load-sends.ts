import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Account, basic } from '@oxbow/testkit'

export interface Sends {
  form: Record<string, string>
  connections: number
  seconds: number
}

/** Messages accepted in a second. The load comes from wrk, which takes little of the machine for itself. */
export async function loadSends(
  url: string,
  account: Account,
  { form, connections, seconds }: Sends,
): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'oxbow-wrk-'))
  const script = join(directory, 'send.lua')
  writeFileSync(
    script,
    `wrk.method = "POST"
wrk.body = ${JSON.stringify(new URLSearchParams(form).toString())}
wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
wrk.headers["Authorization"] = ${JSON.stringify(basic(account))}
`,
  )
  const args = ['-t1', `-c${connections}`, `-d${seconds}`, '-s', script, `${url}/api/v1/messages`]
  try {
    const { stdout } = await promisify(execFile)('wrk', args)
    if (/Non-2xx/.test(stdout)) throw new Error(`not every message was accepted:\n${stdout}`)
    return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
  } finally {
    rmSync(directory, { recursive: true })
  }
}
