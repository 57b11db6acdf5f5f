import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase, launchNodeProcess, startNodeProcess } from '@oxbow/testkit'
import { startCollector } from './collector.ts'

const linePrefix = 'LOADED '

/**
 * Source code that prints every OpenTelemetry module that a process loads, except the one that
 * prom-client loads, which bundles do not contain (`scripts/build/without-exemplars.ts`).
 */
const watchModules = `
import { registerHooks } from 'node:module'
registerHooks({
  resolve(name, context, next) {
    const found = next(name, context)
    if (found.url.includes('@opentelemetry') && !/prom-client|@opentelemetry.api.dist/.test(context.parentURL + ''))
      process.stderr.write('${linePrefix}' + found.url + '\\n')
    return found
  },
})`

const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(watchModules)}`

test('a node loads OpenTelemetry only if a collector is configured', async () => {
  await using database = await createTestDatabase()
  await using collector = await startCollector()
  const env = { NODE_OPTIONS, OTEL_SERVICE_NAME: 'garden-chat' }
  await using plain = await startNodeProcess({ database_url: database.url, env })
  await using traced = await startNodeProcess({
    database_url: database.url,
    env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  })
  assert.match(traced.output(), new RegExp(`${linePrefix}.*@opentelemetry/sdk-trace/`))
  assert.ok(!plain.output().includes(linePrefix), plain.output())
})

test('a node refuses unsupported OpenTelemetry variables, and says what to change', async () => {
  const refusals = [
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /OTEL_EXPORTER_OTLP_PROTOCOL is grpc.*http\/protobuf.*4318/],
    [{ OTEL_TRACES_SAMPLER: 'sometimes' }, /OTEL_TRACES_SAMPLER is sometimes.*parentbased_traceidratio/],
    [{ OTEL_TRACES_SAMPLER_ARG: '5%' }, /OTEL_TRACES_SAMPLER_ARG is 5%.*from 0 to 1/],
  ] as const
  for (const [variables, message] of refusals) {
    await using node = await launchNodeProcess({
      database_url: 'postgres://127.0.0.1:1/none',
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', ...variables },
    })
    assert.equal(await node.exited, 1)
    assert.match(node.output(), message)
  }
})
