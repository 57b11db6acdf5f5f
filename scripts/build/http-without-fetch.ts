import type { Plugin } from 'esbuild'

/**
 * Imports node:http without Node's fetch. An ES module that imports node:http gets the values of all its exports, of
 * which `WebSocket` loads fetch. That is a tenth of the time in which `oxbow` starts.
 */
export const httpWithoutFetch: Plugin = {
  name: 'node:http without fetch',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'node:http', namespace: 'http-without-fetch' } : undefined,
    )
    onLoad({ filter: /./, namespace: 'http-without-fetch' }, () => ({
      contents: "module.exports = process.getBuiltinModule('node:http')",
    }))
  },
}
