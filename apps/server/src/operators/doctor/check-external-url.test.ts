import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { makeSecrets } from '../../platform/secrets/secrets.ts'
import { checkExternalUrl } from './check-external-url.ts'

test('an external URL that leads to the original of a restored copy is a problem of the copy', async () => {
  const server = createServer((_, response) =>
    response.end(JSON.stringify({ isTrusted: true, logId: 'original' })),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const secrets = makeSecrets('a secret that is long enough for Oxbow')
  try {
    const copy = await checkExternalUrl(url, secrets, 'copy')
    assert.equal(copy.url.state, 'problem')
    assert.match(copy.url.found, /the same secret and another database/)
    assert.equal((await checkExternalUrl(url, secrets, 'original')).url.state, 'ok')
  } finally {
    server.close()
  }
})
