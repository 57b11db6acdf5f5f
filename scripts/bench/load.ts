import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export interface Load {
  /** The Authorization header of each request, in place of `headers`. */
  authorization?: string
  headers?: Readonly<Record<string, string>>
  connections: number
  seconds: number
}

/** Repeats one GET with wrk, which uses little processor time, and returns the responses per second. */
export async function load(
  url: string,
  { authorization, headers = { authorization: authorization ?? '' }, connections, seconds }: Load,
): Promise<number> {
  const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const args = ['-t1', `-c${connections}`, `-d${seconds}`, ...lines, url]
  const { stdout } = await promisify(execFile)('wrk', args).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT')
      throw new Error('wrk is not installed. On Debian or Ubuntu: apt-get install wrk')
    throw error
  })
  if (/Non-2xx/.test(stdout)) throw new Error(`not every request was answered with success:\n${stdout}`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
}
