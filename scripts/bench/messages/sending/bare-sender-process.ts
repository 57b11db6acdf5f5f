import { connectionOptions } from '@oxbow/server'
import fastify from 'fastify'
import pg from 'pg'
import type { BareSenderOrder } from './bare-sender.ts'

// A bare Fastify server with one route, which runs the same SQL with the same values for every
// request.
const { port, database_url, poolSize, text, values }: BareSenderOrder = JSON.parse(process.env.ORDER ?? '')
const pool = new pg.Pool({ ...connectionOptions(database_url), max: poolSize })
const server = fastify()
server.addContentTypeParser(
  'application/x-www-form-urlencoded',
  { parseAs: 'string' },
  (_request, body, done) => done(null, body),
)
server.post('/api/v1/messages', async () => {
  const { rows } = await pool.query({ name: 'send', text, values })
  const [{ outcome, id }] = rows
  if (outcome !== 'sent') throw new Error(`the message was not sent: ${outcome}`)
  return { result: 'success', msg: '', id }
})
await server.listen({ host: '127.0.0.1', port })
process.on('disconnect', () => process.exit())
