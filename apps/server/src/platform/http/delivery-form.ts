import { Readable } from 'node:stream'
import { readMultipart } from './multipart.ts'

const none: ReadonlyMap<string, string> = new Map()
/** More than any service has; a body of nothing but separators would otherwise take long to read. */
const mostFields = 1_000

const typeOf = (contentType = ''): string => contentType.trim().toLowerCase()
const isMultipart = (contentType?: string): boolean => typeOf(contentType).startsWith('multipart/')

export function isForm(contentType: string | undefined): boolean {
  return isMultipart(contentType) || typeOf(contentType).startsWith('application/x-www-form-urlencoded')
}

/** The fields of a body that is a form. Many send JSON and say that it is one. */
export async function readDeliveryForm(
  body: Buffer,
  contentType: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  if (!isForm(contentType)) return none
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
