import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Posts {
  headers: Record<string, string>
  body: string
  connections: number
  seconds: number
}

/** Repeats one POST with wrk, which uses little processor time, and returns the responses per second. */
export async function loadPosts(
  url: string,
  { headers, body, connections, seconds }: Posts,
): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'oxbow-wrk-'))
  const script = join(directory, 'post.lua')
  const lines = Object.entries(headers).map(
    ([name, value]) => `wrk.headers[${quoted(name)}] = ${quoted(value)}\n`,
  )
  writeFileSync(script, `wrk.method = "POST"\nwrk.body = ${quoted(body)}\n${lines.join('')}`)
  const args = ['-t1', `-c${connections}`, `-d${seconds}`, '-s', script, url]
  try {
    const { stdout } = await promisify(execFile)('wrk', args)
    if (/Non-2xx/.test(stdout)) throw new Error(`not every request was answered with success:\n${stdout}`)
    return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** Quotes a string for Lua, whose escapes are those of JSON. */
const quoted = (text: string): string => JSON.stringify(text)
