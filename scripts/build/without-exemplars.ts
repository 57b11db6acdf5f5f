import type { Plugin } from 'esbuild'

/**
 * Removes OpenTelemetry from prom-client, which loads it at start for exemplars of one metric. Oxbow does not
 * use exemplars, and loads OpenTelemetry only if traces are sent.
 */
export const withoutExemplars: Plugin = {
  name: 'prom-client without exemplars',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^@opentelemetry\/api$/ }, ({ importer }) =>
      /[\\/]node_modules[\\/]prom-client[\\/]/.test(importer)
        ? { path: '@opentelemetry/api', namespace: 'without-exemplars' }
        : undefined,
    )
    onLoad({ filter: /./, namespace: 'without-exemplars' }, () => ({ contents: 'module.exports = {}' }))
  },
}
