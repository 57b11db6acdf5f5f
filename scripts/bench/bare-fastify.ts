import fastify from 'fastify'

// Bare Fastify with one route that sends the same bytes as our node.
const server = fastify()
const body = process.env.BODY ?? ''
server.get('/api/v1/users/me', async (_request, reply) => reply.type('application/json').send(body))
server.get('/', async (_request, reply) => reply.type('text/html; charset=utf-8').send(body))
await server.listen({ host: '127.0.0.1', port: Number(process.argv[2]) })
