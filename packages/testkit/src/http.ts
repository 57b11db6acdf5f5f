/** A request that is sent without our SDK. */
export interface RawRequest {
  method?: string
  path: string
  credentials?: { email: string; api_key: string } | undefined
  query?: Record<string, string>
  form?: Record<string, string>
  json?: unknown
  multipart?: Record<string, string>
  /** File contents by name. If present, the body is multipart. */
  files?: Record<string, Uint8Array>
  body?: string
  headers?: Record<string, string>
}

export interface RawResponse {
  status: number
  headers: Headers
  text: string
  body: Record<string, unknown>
}

export async function request(base: string, rawRequest: RawRequest): Promise<RawResponse> {
  const url = new URL(base + rawRequest.path)
  for (const [name, value] of Object.entries(rawRequest.query ?? {})) url.searchParams.set(name, value)
  const headers = new Headers(rawRequest.headers)
  if (rawRequest.credentials) headers.set('authorization', basic(rawRequest.credentials))
  if (rawRequest.json !== undefined) headers.set('content-type', 'application/json')
  const body = bodyOf(rawRequest)
  const method = rawRequest.method ?? 'GET'
  const response = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parse(text) }
}

export function basic({ email, api_key }: { email: string; api_key: string }): string {
  return `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`
}

function bodyOf({
  form,
  json,
  multipart,
  files,
  body,
}: RawRequest): string | URLSearchParams | FormData | undefined {
  if (form) return new URLSearchParams(form)
  if (json !== undefined) return JSON.stringify(json)
  if (!multipart && !files) return body
  const data = new FormData()
  for (const [name, value] of Object.entries(multipart ?? {})) data.set(name, value)
  for (const [name, bytes] of Object.entries(files ?? {}))
    data.append('file', new Blob([new Uint8Array(bytes)]), name)
  return data
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
