import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import {
  type Span as ApiSpan,
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { ExportResultCode, getNumberFromEnv, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import { oxbowVersion } from '@oxbow/assets'
import type { Log } from '../log.ts'
import { FailureLog } from '../log.ts'
import { readSampler } from './sampler.ts'
import { makeTracedClient } from './traced-client.ts'
import type { Span, SpanOptions, TracedRequest, Tracing } from './tracing.ts'

// Importing this file loads OpenTelemetry, so only `open-tracing.ts` does it, and only on demand.

/** A stopping node waits this long for the collector. */
const maxFlushMs = 1_000

/** Starts tracing with the standard variables of OpenTelemetry. */
export function startTracing(endpoint: string, log: Log, env: NodeJS.ProcessEnv): Tracing {
  const url = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || `${endpoint}/v1/traces`
  const exporter = reportFailures(new OTLPTraceExporter({ url }), log)
  const provider = new TracerProvider({
    resource: describeNode(),
    sampler: readSampler(env),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...readBatchLimits() })],
  })
  return new OpenTelemetryTracing(provider)
}

/**
 * Describes this node. The operator's variables OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take
 * precedence.
 */
function describeNode() {
  const node = resourceFromAttributes({
    'service.name': 'oxbow',
    'service.version': oxbowVersion,
    'service.instance.id': randomUUID(),
  })
  return defaultResource()
    .merge(node)
    .merge(detectResources({ detectors: [envDetector] }))
}

/**
 * Reads the limits of the queue of finished spans, which the SDK itself does not read. Beyond the maximum
 * size, 2,048 by default, spans are dropped.
 */
function readBatchLimits() {
  const limits = {
    maxQueueSize: getNumberFromEnv('OTEL_BSP_MAX_QUEUE_SIZE'),
    maxExportBatchSize: getNumberFromEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
    scheduledDelayMillis: getNumberFromEnv('OTEL_BSP_SCHEDULE_DELAY'),
    exportTimeoutMillis: getNumberFromEnv('OTEL_BSP_EXPORT_TIMEOUT'),
  }
  return Object.fromEntries(
    Object.entries(limits).filter(([, value]) => value !== undefined && value > 0),
  ) as Partial<Record<keyof typeof limits, number>>
}

/** Logs when the collector cannot be reached, and when it can be reached again. */
function reportFailures(exporter: SpanExporter, log: Log): SpanExporter {
  const failures = new FailureLog(log, {
    failed: 'traces cannot be sent to the collector and are dropped',
    recovered: 'traces are sent to the collector again',
  })
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.code === ExportResultCode.SUCCESS) failures.succeeded()
        else failures.failed(describeFailure(result.error))
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}

/** Leaves out the other fields of the error: one of them is the body of the collector's response. */
function describeFailure(error: (Error & { code?: string | number }) | undefined) {
  return { code: error?.code, message: error?.message }
}

const kinds = { client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER }
const headersOfTrace = new W3CTraceContextPropagator()
const readHeader = {
  get: (headers: TracedRequest, name: string) => headers[name as 'traceparent' | 'tracestate'],
  keys: (headers: TracedRequest) => Object.keys(headers),
}

class OpenTelemetryTracing implements Tracing {
  readonly DatabaseClient: Tracing['DatabaseClient']
  readonly #provider: TracerProvider
  readonly #tracer: Tracer
  readonly #current = new AsyncLocalStorage<OpenSpan>()

  constructor(provider: TracerProvider) {
    this.#provider = provider
    this.#tracer = provider.getTracer('oxbow', oxbowVersion)
    this.DatabaseClient = makeTracedClient({
      begin: (name, attributes, parent) =>
        this.#beginStatement(name, attributes, parent as OpenSpan | undefined),
      fail: (span, error) => span.fail(codeOf(error)),
    })
  }

  beginRequest(request: TracedRequest): Span {
    const parent = headersOfTrace.extract(ROOT_CONTEXT, request, readHeader)
    const attributes = { 'http.request.method': request.method }
    return this.#begin(request.method, SpanKind.SERVER, attributes, parent)
  }

  runIn<Result>(span: Span, work: () => Result): Result {
    return this.#current.run(span as OpenSpan, work)
  }

  async trace<Result>(options: SpanOptions, work: (span?: Span) => Promise<Result>): Promise<Result> {
    const { name, kind, attributes = {}, needsParent = false } = options
    const parent = this.#findParent()
    if (needsParent && !parent) return work()
    const span = this.#begin(name, kinds[kind], attributes, parent?.context ?? ROOT_CONTEXT)
    try {
      return await this.#current.run(span, () => work(span))
    } catch (error) {
      span.fail(codeOf(error))
      throw error
    } finally {
      span.end()
    }
  }

  async stop(): Promise<void> {
    // `reportFailures` has logged why spans could not be sent.
    const sent = this.#provider.shutdown().catch(() => {})
    await Promise.race([sent, setTimeout(maxFlushMs, undefined, { ref: false })])
  }

  #begin(name: string, kind: SpanKind, attributes: Attributes, parent: Context): OpenSpan {
    return new OpenSpan(this.#tracer.startSpan(name, { kind, attributes }, parent))
  }

  /** Begins a span only if its parent is recorded. Statements of background work have no parent. */
  #beginStatement(name: string, attributes: Attributes, parent = this.#findParent()): OpenSpan | undefined {
    return parent?.isRecorded ? this.#begin(name, SpanKind.CLIENT, attributes, parent.context) : undefined
  }

  /**
   * Returns the current span unless it has ended: work that outlives a request does not belong to its span.
   */
  #findParent(): OpenSpan | undefined {
    const current = this.#current.getStore()
    return current?.isEnded ? undefined : current
  }
}

class OpenSpan implements Span {
  isEnded = false
  readonly #span: ApiSpan

  constructor(span: ApiSpan) {
    this.#span = span
  }

  get traceId(): string {
    return this.#span.spanContext().traceId
  }

  get isRecorded(): boolean {
    return this.#span.isRecording()
  }

  /** The context in which spans become parts of this one. */
  get context(): Context {
    return trace.setSpan(ROOT_CONTEXT, this.#span)
  }

  rename(name: string): void {
    this.#span.updateName(name)
  }

  set(attribute: string, value: string | number): void {
    this.#span.setAttribute(attribute, value)
  }

  fail(code: string): void {
    this.#span.setAttribute('error.type', code).setStatus({ code: SpanStatusCode.ERROR })
  }

  end(): void {
    if (this.isEnded) return
    this.isEnded = true
    this.#span.end()
  }
}

/** Returns the code or the class of an error, never its message, which may contain data of users. */
function codeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  const text = String(code ?? name ?? 'error')
  return /^[\w.-]{1,64}$/.test(text) ? text : 'error'
}
