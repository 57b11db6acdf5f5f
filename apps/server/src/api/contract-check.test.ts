import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, ApiError, endpoint, field, text } from '@oxbow/contract'
import { startWorld } from '@oxbow/testkit'
import { z } from 'zod'
import { bind, type Routes } from '../platform/http/bind.ts'
import { buildHttpServer } from '../platform/http/http-server.ts'
import { OpenRequests, RateLimiter } from '../platform/http/request-limits.ts'
import { ContractViolation, makeContractCheck } from './contract-check.ts'
import { endpointRoutes } from './endpoint-routes.ts'

const greet = endpoint({
  summary: 'Say hello.',
  method: 'GET',
  path: '/greet',
  auth: 'nobody',
  params: { name: text(z.string().default('you'), 'The name.') },
  response: { greeting: field(z.string(), 'The greeting.') },
  errors: ['NO_SUCH_USER'],
})
const named = { name: 'demo.greet', group: 'demo', endpoint: greet }

test('a missing action or group is a compile error', () => {
  // @ts-expect-error: `settings` is declared and has no action
  const incomplete: Routes<Api['server']> = {}
  // @ts-expect-error: a group of the contract is missing
  const groups: { [Group in keyof Api]: Routes<Api[Group]> } = { server: incomplete }
  assert.throws(() => bind([named], groups), /demo\.greet is declared and has no action/)
})

test('a missing, extra or mistyped response field is a violation', () => {
  const check = makeContractCheck(named)
  check.checkResponse({ greeting: 'Hello' })
  check.checkResponse({ greeting: 'Hello', ignored_parameters_unsupported: ['nmae'] })
  for (const wrong of [{}, { greeting: 5 }, { greeting: 'Hello', more: 1 }]) {
    assert.throws(() => check.checkResponse(wrong), ContractViolation)
  }
})

test('an undeclared error is a violation', () => {
  const check = makeContractCheck(named)
  check.checkError(new ApiError('NO_SUCH_USER'))
  check.checkError(new ApiError('SERVICE_UNAVAILABLE'))
  assert.throws(() => check.checkError(new ApiError('MUST_BE_OWNER')), ContractViolation)
})

test('a contract violation fails its request if checking is enabled', async () => {
  await using world = await startWorld()
  const { app } = world.nodes.a
  const serve = async (action: () => Promise<object>, checked: boolean) => {
    const context = {
      app,
      limiter: new RateLimiter(0),
      pollLimiter: new RateLimiter(0),
      openRequests: new OpenRequests(0),
      databaseContact: { isCutOff: false, isStandby: false },
      checked,
    }
    const endpoints = bind([named], { demo: { greet: action } })
    const server = buildHttpServer(app, endpointRoutes(context, endpoints))
    const { statusCode, json } = await server.inject('/greet')
    return [statusCode, json().code ?? json().result]
  }
  const wrongResponse = async () => ({ greeting: 5 })
  const wrongError = async () => Promise.reject(new ApiError('MUST_BE_OWNER'))

  assert.deepEqual(await serve(async () => ({ greeting: 'Hello' }), true), [200, 'success'])
  assert.deepEqual(await serve(wrongResponse, true), [500, 'INTERNAL_ERROR'])
  assert.deepEqual(await serve(wrongError, true), [500, 'INTERNAL_ERROR'])
  assert.deepEqual(await serve(wrongResponse, false), [200, 'success'])
  assert.match(world.log.text, /demo\.greet answered against its contract/)
})
