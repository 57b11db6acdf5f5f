import { fileURLToPath } from 'node:url'
import { browserAliases } from '@oxbow/markdown/bundle'
import type { InlineConfig } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Browsers for which the client is compiled; `public/theme.js` turns older ones away. */
const browsers = ['chrome125', 'firefox140', 'safari17.5']

/** Options of Vite for building and for development. There are no plugins. */
export const viteOptions: InlineConfig = {
  root,
  configFile: false,
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
    rolldownOptions: { output: { hashCharacters: 'hex' } },
  },
}
