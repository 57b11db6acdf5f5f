import { type ChildProcess, spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('./main.ts', import.meta.url))
/** Changes within this time cause one run, because editors write several files at once. */
const debounceMs = 100

/** Runs the tests with these arguments, and again after each change of a source file, until it is interrupted. */
export async function watchTests(args: readonly string[]): Promise<never> {
  let running: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  const start = () => {
    running?.kill()
    process.stdout.write('\n')
    running = spawn(process.execPath, [script, ...args], { stdio: 'inherit' })
  }
  for (const folder of ['apps', 'packages', 'scripts']) {
    watch(folder, { recursive: true }, (_event, name) => {
      if (!name || /node_modules|\.cache/.test(name) || !/\.(tsx?|css|sql|json|md|html)$/.test(name)) return
      clearTimeout(timer)
      timer = setTimeout(start, debounceMs)
    })
  }
  start()
  return new Promise(() => {})
}
