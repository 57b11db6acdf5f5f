import { Readable } from 'node:stream'
import { findStartedModule } from '@oxbow/assets'
import { readMultipart } from '../../platform/http/request-input.ts'
import { LazyWorker } from '../../platform/threads/lazy-worker.ts'

/**
 * Larger bodies are parsed and translated in a worker thread, because they could block the event
 * loop.
 */
export const maxBytesOnMainThread = 200_000

const noFields: ReadonlyMap<string, string> = new Map()
/** Limits the work for a body that consists only of separators. Services send fewer fields. */
const maxFields = 1_000

const typeOf = (contentType = ''): string => contentType.trim().toLowerCase()
const isMultipart = (contentType?: string): boolean => typeOf(contentType).startsWith('multipart/')

export function isForm(contentType: string | undefined): boolean {
  return isMultipart(contentType) || typeOf(contentType).startsWith('application/x-www-form-urlencoded')
}

const thread = new LazyWorker<FormBody, ReadonlyMap<string, string>>(
  findStartedModule('delivery-form-worker'),
)

export interface FormBody {
  body: Uint8Array
  contentType: string | undefined
}

/**
 * Returns the fields of a form body; no fields for other bodies. Parses a large body in a worker
 * thread.
 */
export async function readDeliveryForm(
  body: Buffer,
  contentType: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  if (!isForm(contentType)) return noFields
  return body.length > maxBytesOnMainThread
    ? thread.ask({ body, contentType })
    : parseDeliveryForm(body, contentType)
}

/**
 * Parses a form body. Returns no fields for JSON, which many services send with a form's content
 * type.
 */
export async function parseDeliveryForm(
  body: Buffer,
  contentType: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  if (isMultipart(contentType)) {
    const { arguments: fields } = await readMultipart(Readable.from([body]), {
      limit: body.length,
      contentType,
    })
    return fields as Map<string, string>
  }
  if (/^\s*[{[]/.test(body.toString('utf8', 0, 100))) return noFields
  return new Map(new URLSearchParams(body.toString('utf8').split('&', maxFields).join('&')))
}
