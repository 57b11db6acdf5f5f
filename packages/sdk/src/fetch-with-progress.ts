/** The part of `XMLHttpRequest` that this module uses. It exists only in browsers. */
interface ProgressRequest extends EventTarget {
  readonly upload: EventTarget
  readonly status: number
  readonly responseText: string
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getAllResponseHeaders(): string
  send(body: unknown): void
  abort(): void
}

interface SentRequest {
  method?: string
  headers?: unknown
  body?: unknown
  signal?: AbortSignal | null
}

/**
 * Returns a function like `fetch` that calls `onProgress` with the fraction of the body that was sent;
 * undefined outside of browsers. Browsers report progress only for `XMLHttpRequest`, which sends the cookies of
 * the page.
 */
export function fetchWithProgress(
  onProgress: (fraction: number) => void,
): ((url: string, request: SentRequest) => Promise<Response>) | undefined {
  const { XMLHttpRequest } = globalThis as { XMLHttpRequest?: new () => ProgressRequest }
  if (!XMLHttpRequest) return undefined
  return (url, { method = 'GET', headers = {}, body, signal }) => {
    const request = new XMLHttpRequest()
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    request.upload.addEventListener('progress', (event) => {
      const { loaded, total } = event as Event & { loaded: number; total: number }
      onProgress(total > 0 ? loaded / total : 0)
    })
    request.addEventListener('load', () => resolve(toResponse(request)))
    request.addEventListener('error', () => reject(new TypeError('The request failed')))
    request.addEventListener('abort', () => reject(signal?.reason))
    signal?.addEventListener('abort', () => request.abort())
    request.open(method, url)
    for (const [name, value] of Object.entries(headers as Record<string, string>))
      request.setRequestHeader(name, value)
    if (signal?.aborted) reject(signal.reason)
    else request.send(body)
    return promise
  }
}

function toResponse(request: ProgressRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split(/\r\n/)
  const headers = lines.map((line): [string, string] => {
    const end = line.indexOf(':')
    return [line.slice(0, end), line.slice(end + 1).trim()]
  })
  return new Response(request.responseText, { status: request.status, headers })
}
