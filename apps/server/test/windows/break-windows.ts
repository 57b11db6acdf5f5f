import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { createWindows } from '@oxbow/sdk/windows'
import { build, type Plugin } from 'esbuild'
import type { Breakage } from './breakages.ts'

const root = resolve(import.meta.dirname, '../../../..')

/** Loads the SDK's windows with a breakage applied, without changing the file. */
export async function breakWindows({
  file,
  find,
  replace,
}: Breakage): Promise<{ createWindows: typeof createWindows }> {
  const broken = resolve(root, file)
  const plugin: Plugin = {
    name: 'breakage',
    setup({ onLoad }) {
      onLoad({ filter: /\/sdk\/src\/windows\/.*\.ts$/ }, async ({ path }) => {
        if (path !== broken) return undefined
        const parts = (await readFile(path, 'utf8')).split(find)
        assert.equal(parts.length, 2, `${file} does not contain this exactly once: ${find}`)
        return { loader: 'ts', contents: parts.join(replace) }
      })
    },
  }
  const { outputFiles } = await build({
    entryPoints: [resolve(root, 'packages/sdk/src/windows/index.ts')],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'node24',
    write: false,
    logLevel: 'warning',
    plugins: [plugin],
  })
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64')
  return import(`data:text/javascript;base64,${code}`)
}
