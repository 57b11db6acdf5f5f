import { t } from '../text/t.ts'

export interface SendFileOptions {
  signal: AbortSignal
  /** Called with the fraction that was sent, from 0 to 1. */
  onProgress: (progress: number) => void
}

/** Uploads a file and returns its path. Uses `XMLHttpRequest`, because `fetch` does not report progress. */
export function sendFile(file: File, { signal, onProgress }: SendFileOptions): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const request = new XMLHttpRequest()
  request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
  request.onload = () => {
    const { uri, msg } = readBody(request.responseText)
    if (request.status === 200 && uri !== undefined) resolve(uri)
    else reject(new Error(msg ?? t('upload.refused', { status: request.status })))
  }
  request.onerror = () => reject(new Error(t('refusal.no_answer')))
  request.onabort = () => reject(signal.reason)
  signal.addEventListener('abort', () => request.abort())
  request.open('POST', '/api/v1/user_uploads')
  request.setRequestHeader('accept', 'application/json')
  const form = new FormData()
  form.append('file', file, file.name)
  request.send(form)
  return promise
}

function readBody(text: string): { uri?: string; msg?: string } {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
