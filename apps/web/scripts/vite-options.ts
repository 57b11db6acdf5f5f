import { fileURLToPath } from 'node:url'
import { browserAliases } from '@oxbow/markdown/bundle'
import type { InlineConfig, Plugin } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Layers of the style sheets; a later one overrides an earlier one. */
export const layers: readonly string[] = ['reset', 'tokens', 'base', 'ui', 'views']

/** Browsers for which the client is compiled; `public/theme.js` turns older ones away. */
const browsers = ['chrome125', 'firefox140', 'safari17.5']

/**
 * Begins every style sheet with the order of layers. The first sheet that a page loads decides it, and
 * which chunk that is changes with the imports.
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

/** Whether the entry imports a module, directly or through others, without a dynamic import. */
function isOfFirstScreen(id: string, graph: ModuleGraph): boolean {
  const visited = new Set([id])
  for (const visitedFile of visited) {
    const found = graph.getModuleInfo(visitedFile)
    if (found?.isEntry) return true
    for (const importer of found?.importers ?? []) visited.add(importer)
  }
  return false
}

/** Options of Vite for building and for development. No plugin comes from a package. */
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
    // The policy of the document allows pictures as data, but a file can be cached by itself.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        hashCharacters: 'hex',
        // Without it, what the first screen shares with a view would be a file of its own, one for each combination.
        codeSplitting: {
          groups: [
            { debugName: 'first screen', name: (id, graph) => (isOfFirstScreen(id, graph) ? 'first' : null) },
          ],
        },
      },
    },
  },
}
