import type { PreparingClient } from '../../database/preparing-client.ts'

/**
 * A timed part of a trace that has begun. Its names and values are exported: they must be names of routes,
 * jobs, statements and errors, never data of users.
 */
export interface Span {
  readonly traceId: string
  rename(name: string): void
  set(attribute: string, value: string | number): void
  /** Marks the span as failed, with the code of the error. */
  fail(code: string): void
  /** Ends the span. Work that continues after it belongs to no span. */
  end(): void
}

export interface SpanOptions {
  name: string
  /** `client` for requests to other servers, `consumer` for jobs. */
  kind: 'client' | 'consumer'
  attributes?: Record<string, string | number>
  /** Whether the work is traced only as part of another span. Otherwise it begins a trace if there is none. */
  needsParent?: boolean
}

export interface TracedRequest {
  method: string
  /** Headers of a trusted proxy that name the span this request belongs to. */
  traceparent?: string | undefined
  tracestate?: string | undefined
}

/** Creates spans and sends them to a collector. Only exists if the operator has set `otlp_endpoint`. */
export interface Tracing {
  /** The class of database sessions whose transactions and statements are traced as parts of other spans. */
  readonly DatabaseClient: typeof PreparingClient
  beginRequest(request: TracedRequest): Span
  /** Calls `work` as a part of the span: spans that begin in it become parts of the span until it ends. */
  runIn<Result>(span: Span, work: () => Result): Result
  /** Runs `work` in a span that ends with it, and fails if it rejects. */
  trace<Result>(options: SpanOptions, work: (span?: Span) => Promise<Result>): Promise<Result>
  /** Sends the remaining spans. Resolves after a second even if the collector does not answer. */
  stop(): Promise<void>
}

/** Runs `work`, in a span if this node is traced. */
export function traced<Result>(
  tracing: Tracing | undefined,
  options: SpanOptions,
  work: (span?: Span) => Promise<Result>,
): Promise<Result> {
  return tracing ? tracing.trace(options, work) : work()
}
