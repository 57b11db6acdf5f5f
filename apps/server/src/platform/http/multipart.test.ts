import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, before, test } from 'node:test'
import { ApiError, type WholeFileRule } from '@oxbow/contract'
import { bodyLimit, bodyLimitFor, readRequest } from './request-input.ts'

const rule: WholeFileRule = { maxFiles: 1, maxBytes: 1_048_576 }

/** Returns the parsed input as JSON. `/` accepts one file, `/plain` accepts none. */
const server = createServer(async (request, response) => {
  const usedRule = request.url === '/' ? rule : undefined
  const contentType = request.headers['content-type']
  try {
    const received = await readRequest(request, {
      limit: bodyLimitFor(usedRule),
      contentType,
      rule: usedRule,
    })
    const files = received.files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString('latin1')])
    response.end(JSON.stringify({ arguments: Object.fromEntries(received.arguments), files }))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    response.writeHead(error.status).end(JSON.stringify({ error: error.message }))
    request.resume()
  }
})
let port: number
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
after(() => server.close())

interface Read {
  arguments?: Record<string, string>
  files?: [string, string][]
  error?: string
}

const postForm = async (form: FormData, path = '/'): Promise<Read> =>
  (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: form })).json() as Promise<Read>

const formWith = (...files: [name: string, content: string | Uint8Array<ArrayBuffer>][]): FormData => {
  const form = new FormData()
  form.set('note', 'beside it')
  for (const [index, [name, content]] of files.entries())
    form.append(`field${index}`, new Blob([content]), name)
  return form
}

const tooLarge = { error: 'Uploaded file is larger than the allowed limit of 1 MiB' }

test('a file is accepted under any field name, together with form fields', async () => {
  assert.deepEqual(await postForm(formWith(['a.png', '\0\r\n--']), '/'), {
    arguments: { note: 'beside it' },
    files: [['a.png', '\0\r\n--']],
  })
})

test('an empty body of type multipart has no parameters', async () => {
  for (const type of ['multipart/form-data; boundary=x', 'multipart/form-data']) {
    const headers = { 'content-type': type }
    const response = await fetch(`http://127.0.0.1:${port}/plain`, { method: 'POST', headers })
    assert.deepEqual(await response.json(), { arguments: {}, files: [] })
  }
})

test('files are skipped by endpoints that do not accept files', async () => {
  assert.deepEqual(await postForm(formWith(['a.png', 'x']), '/plain'), {
    arguments: { note: 'beside it' },
    files: [],
  })
})

test('files beyond the limit are listed without their content', async () => {
  const { files } = await postForm(formWith(['a', 'first'], ['b', 'second'], ['c', 'third']))
  assert.deepEqual(files, [
    ['a', 'first'],
    ['b', ''],
    ['c', ''],
  ])
})

test('an empty file field yields no file', async () => {
  assert.deepEqual((await postForm(formWith(['', '']))).files, [])
})

test('directories in a file name are removed', async () => {
  const names = ['../../etc/passwd', '..\\..\\boot.ini', '/etc/shadow']
  for (const name of names) {
    const [file] = (await postForm(formWith([name, 'x']))).files ?? []
    assert.ok(!/[/\\]/.test(file?.[0] ?? '/'), `${name} → ${file?.[0]}`)
  }
})

test('a file of the maximum size is accepted, and one byte more is refused', async () => {
  const { files } = await postForm(formWith(['a', new Uint8Array(rule.maxBytes)]))
  assert.equal(files?.[0]?.[1].length, rule.maxBytes)
  assert.deepEqual(await postForm(formWith(['a', new Uint8Array(rule.maxBytes + 1)])), tooLarge)
})

test('a file is refused as soon as it is too large, before all of it was received', async () => {
  const socket = connect(port, '127.0.0.1')
  const response = new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString())))
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000000\r\n')
  socket.write('Content-Type: multipart/form-data; boundary=X\r\n\r\n')
  socket.write('--X\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n')
  socket.write(Buffer.alloc(rule.maxBytes + 10))

  assert.ok((await response).includes(JSON.stringify(tooLarge)))
  socket.destroy()
})

test('form fields have a smaller size limit than files', async () => {
  const form = new FormData()
  form.set('note', 'x'.repeat(bodyLimitFor(rule)))
  assert.match((await postForm(form)).error ?? '', /larger than 3145728 bytes/)
})

test('a form may have 200 parts, and the refusal of more says so', async () => {
  const formOf = (count: number) => {
    const form = new FormData()
    for (let index = 0; index < count; index++) form.set(`note${index}`, 'x')
    return form
  }
  assert.equal(Object.keys((await postForm(formOf(200))).arguments ?? {}).length, 200)
  assert.deepEqual(await postForm(formOf(201)), { error: 'The form has more than 200 fields' })
})

test('endpoints that accept files accept no larger bodies of other types', async () => {
  const text = 'x'.repeat(2 * bodyLimit)
  const post = async (body: string, type: string): Promise<Read> => {
    const headers = { 'content-type': type }
    return (
      await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers })
    ).json() as Promise<Read>
  }
  for (const [body, type] of [
    [`note=${text}`, 'application/x-www-form-urlencoded'],
    [JSON.stringify({ note: text }), 'application/json'],
    [text, 'text/plain'],
  ] as const)
    assert.match((await post(body, type)).error ?? '', /larger than 1048576 bytes/, type)
})

test('a body that arrives in many chunks is parsed like one that arrives at once', async () => {
  const body = [
    '--X\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nabc\r\n',
    '--X\r\nContent-Disposition: form-data; name="note"\r\n\r\nlast\r\n--X--\r\n',
  ].join('')
  const socket = connect(port, '127.0.0.1')
  let response = ''
  socket.on('data', (data) => {
    response += data
  })
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n`)
  socket.write('Content-Type: multipart/form-data; boundary=X\r\n\r\n')
  for (const letter of body) await new Promise((sent) => socket.write(letter, sent))
  await new Promise((ended) => socket.on('close', ended))

  assert.ok(response.endsWith('{"arguments":{"note":"last"},"files":[["a","abc"]]}'), response)
})

test('a form with far too many files is refused as malformed', async () => {
  const tooManyFiles = Array.from({ length: 11 }, (_, index): [string, string] => [`f${index}`, ''])
  assert.deepEqual(await postForm(formWith(...tooManyFiles)), { error: 'Malformed multipart form' })
  assert.deepEqual(await postForm(formWith(...tooManyFiles), '/plain'), { error: 'Malformed multipart form' })
})
