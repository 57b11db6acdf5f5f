import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, preview } from 'vite'
import { viteOptions } from './vite-options.ts'

export interface ServedStyleguide extends AsyncDisposable {
  url: string
}

/** Builds the style guide, which is not part of the client, and serves it at a port; for tests. */
export async function serveStyleguide(port: number): Promise<ServedStyleguide> {
  const outDir = await mkdtemp(join(tmpdir(), 'oxbow-styleguide-'))
  const input = join(viteOptions.root ?? '', 'styleguide.html')
  await build({
    ...viteOptions,
    logLevel: 'warn',
    publicDir: false,
    build: { ...viteOptions.build, outDir, minify: false, rolldownOptions: { input } },
  })
  const server = await preview({
    ...viteOptions,
    logLevel: 'warn',
    build: { outDir },
    preview: { host: '127.0.0.1', port, strictPort: true },
  })
  return {
    url: `http://127.0.0.1:${port}/styleguide.html`,
    async [Symbol.asyncDispose]() {
      await server.close()
      await rm(outDir, { recursive: true })
    },
  }
}
