import { fileURLToPath } from 'node:url'
import { browserAliases } from '@oxbow/markdown/bundle'
import type { InlineConfig, Plugin } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Layers of the style sheets; a later one overrides an earlier one. */
export const layers: readonly string[] = ['reset', 'tokens', 'base', 'ui', 'views']

/** Oldest browsers for which the client is compiled; `public/theme.js` refuses older ones. */
const browsers = ['chrome125', 'firefox140', 'safari17.5']

/**
 * Declares the order of layers at the start of every style sheet. The first sheet that a page loads
 * determines the order, and imports determine which sheet is loaded first.
 */
const layerOrder: Plugin = {
  name: 'layer order',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('.css') || id.includes('node_modules')) return undefined
    return `@layer ${layers.join(', ')};\n${code}`
  },
}

interface ModuleGraph {
  getModuleInfo(id: string): { isEntry: boolean; importers: readonly string[] } | null
}

/** Returns whether the entry imports a module, directly or indirectly, without a dynamic import. */
function isOfFirstScreen(id: string, graph: ModuleGraph): boolean {
  const visited = new Set([id])
  for (const visitedFile of visited) {
    const found = graph.getModuleInfo(visitedFile)
    if (found?.isEntry) return true
    for (const importer of found?.importers ?? []) visited.add(importer)
  }
  return false
}

/** Vite options for builds and development. The only plugin is `layerOrder`. */
export const viteOptions: InlineConfig = {
  root,
  configFile: false,
  plugins: [layerOrder],
  cacheDir: fileURLToPath(new URL('../../../.cache/vite', import.meta.url)),
  resolve: { alias: browserAliases },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: browsers,
    emptyOutDir: true,
    // Images stay separate files instead of data URLs, so that browsers cache them separately.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        hashCharacters: 'hex',
        // Otherwise modules that the first screen shares with other views would become many small
        // chunks, one per combination of views.
        codeSplitting: {
          groups: [
            { debugName: 'first screen', name: (id, graph) => (isOfFirstScreen(id, graph) ? 'first' : null) },
          ],
        },
      },
    },
  },
}
