import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'
import { SetupError } from '../../operator-error.ts'

const samplers: Record<string, (ratio: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
}

/**
 * Returns the sampler that the standard variables name. The SDK itself does not read them. By default every
 * trace is kept, unless the proxy that began it decided otherwise.
 */
export function readSampler(env: NodeJS.ProcessEnv): Sampler {
  const name = env.OTEL_TRACES_SAMPLER || 'parentbased_always_on'
  const make = Object.hasOwn(samplers, name) ? samplers[name] : undefined
  if (!make)
    throw new SetupError(
      `OTEL_TRACES_SAMPLER is ${name}, which is not a sampler. Use one of: ${Object.keys(samplers).join(', ')}.`,
    )
  const ratio = Number(env.OTEL_TRACES_SAMPLER_ARG || 1)
  if (!(ratio >= 0 && ratio <= 1))
    throw new SetupError(
      `OTEL_TRACES_SAMPLER_ARG is ${env.OTEL_TRACES_SAMPLER_ARG}. It must be the share of traces to keep, from 0 to 1, like 0.05.`,
    )
  return make(ratio)
}
