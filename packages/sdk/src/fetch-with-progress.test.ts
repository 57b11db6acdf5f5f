import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowserClient, RequestError } from './browser.ts'

/** Stands in for the browser's class. The test says what the server does. */
class FakeRequest extends EventTarget {
  static last: FakeRequest
  readonly upload = new EventTarget()
  readonly headers: Record<string, string> = {}
  status = 200
  responseText = '{"result":"success","msg":"","uri":"/user_uploads/2/pear.png"}'
  sent: unknown
  opened: string[] = []
  open = (...opened: string[]) => {
    this.opened = opened
  }
  setRequestHeader(name: string, value: string) {
    this.headers[name] = value
  }
  getAllResponseHeaders = () => 'content-type: application/json\r\nretry-after: 3\r\n'
  send(body: unknown) {
    this.sent = body
    FakeRequest.last = this
  }
  abort() {
    this.dispatchEvent(new Event('abort'))
  }
}

const browser = globalThis as { XMLHttpRequest?: unknown }
browser.XMLHttpRequest = FakeRequest
after(() => delete browser.XMLHttpRequest)

const client = createBrowserClient({ url: '', credentials: 'session', findUserId: () => 7 })
const files = [{ name: 'pear.png', bytes: new Blob(['pear']) }]
const progressed = (loaded: number, total: number) => Object.assign(new Event('progress'), { loaded, total })

test('an upload reports its progress, and names the session’s account like every request', async () => {
  const progress: number[] = []
  const uploading = client.uploads.upload({ files }, { onProgress: (fraction) => progress.push(fraction) })
  const { last } = FakeRequest
  last.upload.dispatchEvent(progressed(1, 4))
  last.upload.dispatchEvent(progressed(0, 0))
  last.dispatchEvent(new Event('load'))

  assert.equal((await uploading).uri, '/user_uploads/2/pear.png')
  assert.deepEqual(progress, [0.25, 0])
  assert.deepEqual(last.opened, ['POST', '/api/v1/user_uploads'])
  assert.equal(last.headers['expected-user-id'], '7')
  assert.ok(last.headers['idempotency-key'])
  assert.ok(last.sent instanceof FormData)
})

test('an upload with progress that is refused throws the error of the server', async () => {
  const uploading = client.uploads.upload({ files }, { onProgress: () => {} })
  const { last } = FakeRequest
  last.status = 400
  last.responseText = '{"result":"error","code":"BAD_REQUEST","name":"FILE_TOO_LARGE","msg":"Too large"}'
  last.dispatchEvent(new Event('load'))

  await assert.rejects(uploading, (error) => error instanceof RequestError && error.message === 'Too large')
})

test('an upload with progress that is aborted rejects with the reason', async () => {
  const controller = new AbortController()
  const uploading = client.uploads.upload({ files }, { onProgress: () => {}, signal: controller.signal })
  controller.abort(new Error('no longer wanted'))

  await assert.rejects(uploading, /no longer wanted/)
})

test('an upload with progress is not sent if the client refuses the request', async () => {
  const before = FakeRequest.last
  const refusing = createBrowserClient({
    url: '',
    beforeRequest: () => {
      throw new Error('the session has ended')
    },
  })
  await assert.rejects(
    refusing.uploads.upload({ files }, { onProgress: () => {} }),
    ({ cause }: Error) => (cause as Error).message === 'the session has ended',
  )
  assert.equal(FakeRequest.last, before)
})

test('an upload with progress uses the fetch function of the client', async () => {
  const before = FakeRequest.last
  const paths: string[] = []
  const own = createBrowserClient({
    url: '',
    fetch: async (path) => {
      paths.push(String(path))
      return Response.json({ result: 'success', msg: '', uri: '/user_uploads/2/pear.png' })
    },
  })
  await own.uploads.upload({ files }, { onProgress: () => {} })
  assert.deepEqual(paths, ['/api/v1/user_uploads'])
  assert.equal(FakeRequest.last, before)
})
