import { createServer, type ServerResponse } from 'node:http'

// The engine alone: holds polls, and answers all of them with the same bytes when it is told to. A poll that comes with
// an older cursor is answered at once, as ours is.
const template = process.env.BODY ?? ''
const headers: Record<string, string> = JSON.parse(process.env.HEADERS ?? '{}')
const held = new Set<ServerResponse>()
let newest = 0
let body = ''

const answer = (response: ServerResponse) => response.writeHead(200, headers).end(body)

createServer((request, response) => {
  const url = request.url ?? ''
  if (url === '/tell') {
    newest++
    body = template.replace(/"id":\d+/, `"id":${newest}`)
    headers['content-length'] = String(Buffer.byteLength(body))
    for (const each of held) answer(each)
    held.clear()
    response.end(String(newest))
  } else if (url === '/newest') {
    response.end(String(newest))
  } else if (url === '/health') {
    response.end()
  } else if (url === '/held') {
    response.end(String(held.size))
  } else if (Number(url.slice(url.lastIndexOf('=') + 1)) < newest) {
    answer(response)
  } else {
    held.add(response)
    response.on('close', () => held.delete(response))
  }
}).listen(Number(process.argv[2]), '127.0.0.1')
process.on('disconnect', () => process.exit())
