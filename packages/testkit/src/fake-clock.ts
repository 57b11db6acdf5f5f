import { chmodSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')

/** Whether `makeFakeClock` works on this machine. */
export const hasFakeClock = library !== undefined

export interface FakeClock extends Disposable {
  /** The environment variables for processes that use this clock. */
  readonly env: Readonly<Record<string, string>>
  /** Sets an offset from the machine's clock, like `+24h`, or a time in UTC at which the clock stands still. */
  set(time: string | Date): void
}

/** Creates a clock that processes use instead of the machine's clock, and that a test can set. */
export function makeFakeClock(): FakeClock {
  const directory = mkdtempSync(join(tmpdir(), 'oxbow-clock-'))
  // PostgreSQL runs as another user, who must be able to read the directory.
  chmodSync(directory, 0o755)
  const file = join(directory, 'time')
  const set = (time: string | Date) => {
    const written = typeof time === 'string' ? time : time.toISOString().slice(0, 19).replace('T', ' ')
    writeFileSync(file, `${written}\n`)
  }
  set('+0')
  const env = {
    LD_PRELOAD: library ?? '',
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    // The file has times without a zone.
    TZ: 'UTC',
    // Only the time of day jumps, as on a real machine.
    DONT_FAKE_MONOTONIC: '1',
  }
  return { env, set, [Symbol.dispose]: () => rmSync(directory, { recursive: true }) }
}
