import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { build } from 'esbuild'
import { httpWithoutFetch } from '../http-without-fetch.ts'

const program = `
  import { createServer, STATUS_CODES } from 'node:http'
  import * as http from 'node:http'
  const isFetchLoaded = process.moduleLoadList.some((name) => name.includes('undici'))
  console.log(JSON.stringify([isFetchLoaded, typeof createServer, STATUS_CODES[404], typeof http.WebSocket]))`

test('a bundle that imports node:http loads fetch only when it is used', async () => {
  const { outputFiles } = await build({
    stdin: { contents: program },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    plugins: [httpWithoutFetch],
  })
  const run = (text: string) =>
    JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', text], { encoding: 'utf8' }))

  assert.deepEqual(run(outputFiles[0]?.text ?? ''), [false, 'function', 'Not Found', 'function'])
  // Without the plugin, Node loads it. If this fails, Node has changed and the plugin can be removed.
  assert.deepEqual(run(program), [true, 'function', 'Not Found', 'function'])
})
