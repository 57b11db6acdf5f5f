import { createServer, type ServerResponse } from 'node:http'

// A bare node:http server that parks polls and responds to all of them with the same bytes on GET
// /emit. Like our node, it responds at once to a poll with an older cursor.
const template = process.env.BODY ?? ''
const headers: Record<string, string> = JSON.parse(process.env.HEADERS ?? '{}')
const parked = new Set<ServerResponse>()
let newest = 0
let body = ''

const answer = (response: ServerResponse) => response.writeHead(200, headers).end(body)

createServer((request, response) => {
  const url = request.url ?? ''
  if (url === '/emit') {
    newest++
    body = template.replace(/"id":\d+/, `"id":${newest}`)
    headers['content-length'] = String(Buffer.byteLength(body))
    for (const response of parked) answer(response)
    parked.clear()
    response.end(String(newest))
  } else if (url === '/newest') {
    response.end(String(newest))
  } else if (url === '/health') {
    response.end()
  } else if (url === '/parked') {
    response.end(String(parked.size))
  } else if (Number(url.slice(url.lastIndexOf('=') + 1)) < newest) {
    answer(response)
  } else {
    parked.add(response)
    response.on('close', () => parked.delete(response))
  }
}).listen(Number(process.argv[2]), '127.0.0.1')
process.on('disconnect', () => process.exit())
