import { t } from './t.ts'

/** A failed call, for display. */
export interface Refusal {
  /** HTTP status; undefined without a response. */
  status: number | undefined
  /** Name of the server's error; undefined for other errors. */
  name: string | undefined
  /** The reason as a sentence for people. */
  reason: string
}

/** Converts the error that a call threw. */
export function readRefusal(error: unknown): Refusal {
  const { status, body, message, name, errorName } = error as {
    status?: number
    body?: { msg?: unknown }
    message?: string
    name?: string
    errorName?: string
  }
  if (!body) return { status, name: undefined, reason: t('refusal.no_answer') }
  return { status, name: errorName ?? name, reason: String(body.msg ?? message) }
}
