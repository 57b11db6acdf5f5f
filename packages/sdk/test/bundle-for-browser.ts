import { build } from 'esbuild'

/** Bundles a module as for a web client, and returns the code. */
export async function bundleForBrowser(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
    write: false,
    logLevel: 'warning',
  })
  return outputFiles[0]?.text ?? ''
}
