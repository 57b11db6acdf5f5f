import type { Config } from '../../config/settings.ts'
import { SetupError } from '../../operator-error.ts'
import type { Log } from '../log.ts'
import type { Tracing } from './tracing.ts'

/**
 * Packages that tracing needs, with their versions. Not every installation has them, because they take 14
 * MB.
 */
const packages = [
  '@opentelemetry/api@^1.10.0',
  '@opentelemetry/core@3.1.1',
  '@opentelemetry/exporter-trace-otlp-proto@0.301.1',
  '@opentelemetry/resources@3.1.1',
  '@opentelemetry/sdk-trace@3.1.1',
]

/**
 * Starts tracing if the operator has set `otlp_endpoint`, and returns undefined otherwise. Only then are the
 * packages of OpenTelemetry loaded.
 */
export async function openTracing(
  { otlp_endpoint }: Pick<Config, 'otlp_endpoint'>,
  log: Log,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Tracing | undefined> {
  if (otlp_endpoint === undefined) return undefined
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return undefined
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL
  if (protocol && protocol !== 'http/protobuf')
    throw new SetupError(
      `OTEL_EXPORTER_OTLP_PROTOCOL is ${protocol}, but Oxbow sends traces as http/protobuf only. Remove the variable, and let OTEL_EXPORTER_OTLP_ENDPOINT name the collector's port for HTTP, usually 4318.`,
    )
  const { startTracing } = await import('./start-tracing.ts').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' && error.code !== 'MODULE_NOT_FOUND') throw error
    throw new SetupError(
      `OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages that traces need are not installed. Install them beside Oxbow, or remove the variable:\n  npm install ${packages.join(' ')}`,
      { cause: error },
    )
  })
  return startTracing(otlp_endpoint, log, env)
}
