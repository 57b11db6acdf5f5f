import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findOutboundConnections } from './outbound-connections.ts'

const find = (text: string, path = 'apps/server/src/users/avatar.ts') =>
  findOutboundConnections([{ path, text }])

const connecting = [
  "import { request } from 'node:http'",
  "import http from 'http'",
  "import * as https from 'node:https'",
  "import { isIP, connect } from 'node:net'",
  "import {\n  createServer,\n  Agent as Pool,\n} from 'node:http'",
  "import { Client } from 'undici'",
  "import 'undici'",
  "export { fetch } from 'undici'",
  "const { connect } = await import('node:tls')",
  "const { connect } = require('node:net')",
  "import { lookup } from 'node:dns'",
  "import { createSocket } from 'node:dgram'",
  "import pg from 'pg'",
  "import { AwsClient } from 'aws4fetch'",
  "const answer = await fetch('https://example.com')",
  'return globalThis.fetch(url)',
  'const socket = new WebSocket(url)',
  'new EventSource(url)',
]

const harmless = [
  "import type { Socket } from 'node:net'",
  "import { BlockList, isIP, type Socket } from 'node:net'",
  "import { createServer, type IncomingMessage } from 'node:http'",
  "import { AwsV4Signer } from 'aws4fetch'",
  "import { fetchOutbound } from '../platform/outbound/fetch-outbound.ts'",
  'await fetchOutbound(app.outbound, url, limits)',
  'await store.fetch(key)',
  "request.headers['sec-fetch-site']",
  '// fetch(url) would follow redirects',
]

test('server code that opens a connection in any way is reported', () => {
  for (const text of connecting) assert.equal(find(text).length, 1, text)
})

test('imports of types, servers and the guarded fetch are not reported', () => {
  for (const text of harmless) assert.deepEqual(find(text), [], text)
})

test('tests and other packages may connect, and listed files may connect only to their own service', () => {
  const text = "import { request } from 'node:https'"
  assert.deepEqual(find(text, 'apps/server/src/users/avatar.test.ts'), [])
  assert.deepEqual(find(text, 'packages/testkit/src/http.ts'), [])
  assert.deepEqual(find(text, 'apps/server/src/platform/files/s3/s3-client.ts'), [])
  assert.equal(find(text, 'apps/server/src/platform/mail/mail.ts').length, 1)
  assert.equal(find(text, 'apps/server/src/platform/database/migrate.ts').length, 1)
})
