import { Readable } from 'node:stream'
import { maxBytesOnMainThread } from '../delivery.ts'
import { LazyWorker } from '../lazy-worker.ts'
import { readMultipart } from './multipart.ts'

const none: ReadonlyMap<string, string> = new Map()
/** More than any service has; a body of nothing but separators would otherwise take long to read. */
const mostFields = 1_000

const typeOf = (contentType = ''): string => contentType.trim().toLowerCase()
const isMultipart = (contentType?: string): boolean => typeOf(contentType).startsWith('multipart/')

export function isForm(contentType: string | undefined): boolean {
  return isMultipart(contentType) || typeOf(contentType).startsWith('application/x-www-form-urlencoded')
}

const thread = new LazyWorker<FormQuestion, ReadonlyMap<string, string>>(
  new URL('./delivery-form-worker.ts', import.meta.url),
)

export interface FormQuestion {
  body: Uint8Array
  contentType: string | undefined
}

/** The fields of a body that is a form; a large one is read in a thread. */
export async function readDeliveryForm(
  body: Buffer,
  contentType: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  if (!isForm(contentType)) return none
  return body.length > maxBytesOnMainThread
    ? thread.ask({ body, contentType })
    : parseDeliveryForm(body, contentType)
}

/** Many send JSON and say that it is a form. */
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
  if (/^\s*[{[]/.test(body.toString('utf8', 0, 100))) return none
  return new Map(new URLSearchParams(body.toString('utf8').split('&', mostFields).join('&')))
}
