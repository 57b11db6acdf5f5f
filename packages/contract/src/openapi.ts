import { z } from 'zod'
import { listEndpoints, type NamedEndpoint } from './api.ts'
import { type ErrorName, errors } from './errors.ts'
import { type Auth, callerErrors, type Endpoint, type Params, raisable } from './kernel/endpoint.ts'
import { bytesPerMebibyte, type FileRule } from './kernel/files.ts'
import { everyAnswer } from './kernel/ignored-parameters.ts'
import type { Param } from './kernel/params.ts'
import { chatFeatureLevel, chatVersion } from './version.ts'

type Json = Record<string, unknown>

/** The contract as an OpenAPI 3.1 document. */
export function openApiDocument(): Json {
  const paths: Record<string, Json> = {}
  for (const named of listEndpoints()) {
    const { path, method } = named.endpoint
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(named) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Oxbow',
      version: chatVersion,
      description: `The chat-service API, release ${chatVersion}, feature level ${chatFeatureLevel}.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'basic',
          description: 'The e-mail address of the account and its API key.',
        },
        keyInUrl: {
          type: 'apiKey',
          in: 'query',
          name: 'api_key',
          description: 'The API key of an incoming-webhook bot.',
        },
      },
      schemas: { Error: errorSchema, IgnoredParameters: ignoredParameters },
      responses: sharedResponses,
    },
  }
}

const ignoredParameters = schemaOf(everyAnswer.ignored_parameters_unsupported, 'output')

const fieldsOfEveryAnswer = {
  ignored_parameters_unsupported: { $ref: '#/components/schemas/IgnoredParameters' },
}

const errorSchema = {
  type: 'object',
  required: ['result', 'msg', 'code'],
  properties: {
    result: { const: 'error' },
    msg: { type: 'string' },
    code: { type: 'string' },
    ...fieldsOfEveryAnswer,
  },
}

/** Integrations say for themselves which of both they want. */
const security: Record<Auth, Json[]> = {
  nobody: [],
  user: [{ apiKey: [] }],
  webhook: [{ keyInUrl: [] }, { apiKey: [] }],
}

function operation({ name, group, endpoint }: NamedEndpoint): Json {
  return {
    operationId: name,
    tags: [group],
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    security: security[endpoint.auth],
    parameters: parameters(endpoint),
    ...requestBody(endpoint),
    responses: { 200: successResponse(endpoint), ...errorResponses(endpoint) },
  }
}

const travelsInQuery = ({ method, auth }: Endpoint): boolean =>
  method === 'GET' || method === 'DELETE' || auth === 'webhook'

function parameters(endpoint: Endpoint): Json[] {
  return entries(endpoint.params)
    .filter(([, param]) => param.place === 'path' || travelsInQuery(endpoint))
    .map(([name, param]) => ({
      name,
      in: param.place === 'path' ? 'path' : 'query',
      required: param.place === 'path' || isRequired(param),
      ...(param.description && { description: param.description }),
      ...(param.encoding === 'json'
        ? { content: { 'application/json': { schema: schemaOf(param.schema, 'input') } } }
        : { schema: schemaOf(param.schema, 'input') }),
    }))
}

function requestBody(endpoint: Endpoint): Json {
  const fields = entries(endpoint.params).filter(([, param]) => param.place === 'arguments')
  if (endpoint.auth === 'webhook') return { requestBody: { required: true, content: anyBody } }
  const withFile = endpoint.files && multipartWithFile(endpoint.files, fields)
  if (withFile && !endpoint.files?.isOptional) return { requestBody: { required: true, content: withFile } }
  if (travelsInQuery(endpoint) || fields.length === 0) return {}
  const { schema, encoding } = formOf(fields)
  return {
    requestBody: {
      required: schema.required !== undefined,
      content: {
        'application/x-www-form-urlencoded': { schema, encoding },
        ...(withFile ?? { 'multipart/form-data': { schema, encoding } }),
        'application/json': { schema },
      },
    },
  }
}

/** What a service sends is its own matter. */
const anyBody = { '*/*': { schema: {} } }

function formOf(fields: [string, Param][]) {
  const required = fields.filter(([, param]) => isRequired(param)).map(([name]) => name)
  const properties = fields.map(([name, param]) => [
    name,
    { ...schemaOf(param.schema, 'input'), ...(param.description && { description: param.description }) },
  ])
  const jsonFields = fields.filter(([, param]) => param.encoding === 'json')
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(properties) as Json,
      ...(required.length > 0 && { required }),
    },
    encoding: Object.fromEntries(jsonFields.map(([name]) => [name, { contentType: 'application/json' }])),
  }
}

function multipartWithFile(rule: FileRule, fields: [string, Param][]): Json {
  const { schema, encoding } = formOf(fields)
  const file = { type: 'string', contentMediaType: 'application/octet-stream', description: fileText(rule) }
  const required = [...(schema.required ?? []), ...(rule.isOptional ? [] : ['file'])]
  const properties = { ...schema.properties, file }
  const whole = { ...schema, properties, ...(required.length > 0 && { required }) }
  return { 'multipart/form-data': { schema: whole, encoding } }
}

/** What people are told of the files that an endpoint takes. */
export function fileText({ most, maxBytes }: FileRule): string {
  const count = most === 1 ? 'One file' : `Up to ${most} files`
  return `${count} of up to ${maxBytes / bytesPerMebibyte} MiB, under any name`
}

function successResponse(endpoint: Endpoint): Json {
  const { properties = {}, required = [] } = schemaOf(z.strictObject(endpoint.response), 'output') as {
    properties?: Json
    required?: string[]
  }
  const schema = {
    type: 'object',
    required: ['result', 'msg', ...required],
    properties: {
      result: { const: 'success' },
      msg: { const: '' },
      ...properties,
      // What a service sends to a webhook is its own matter.
      ...(endpoint.auth !== 'webhook' && fieldsOfEveryAnswer),
    },
  }
  return { description: 'Success', content: { 'application/json': { schema } } }
}

/** Errors that many endpoints share are described once; the others with an example each, by status. */
function errorResponses(endpoint: Endpoint): Json {
  const own = new Set([...endpoint.errors, ...(endpoint.only ?? []).map((rule) => callerErrors[rule])])
  const shared = [...raisable(endpoint)]
    .map((name) => errors[name].status)
    .filter((status) => status in sharedResponses)
  const byStatus = Object.groupBy([...own], (name) => String(errors[name].status))
  const responses = Object.entries(byStatus).map(([status, names = []]) => [
    status,
    errorResponse('Refused', names),
  ])
  const references = shared.map((status) => [status, { $ref: `#/components/responses/${status}` }])
  return { ...Object.fromEntries(references), ...Object.fromEntries(responses) }
}

const sharedResponses: Record<number, Json> = {
  400: errorResponse('A parameter is missing or wrong', ['REQUEST_VARIABLE_MISSING', 'ARGUMENT_NOT_JSON']),
  401: errorResponse('Credentials are missing or wrong', [
    'NOT_LOGGED_IN',
    'INVALID_API_KEY',
    'ACCOUNT_DEACTIVATED',
  ]),
  413: errorResponse('The request is too large', ['REQUEST_TOO_LARGE']),
  422: errorResponse('The Idempotency-Key was used for something else', ['IDEMPOTENCY_KEY_REUSED']),
  429: errorResponse('Too many requests; Retry-After says when to try again', ['RATE_LIMIT_HIT']),
  500: errorResponse('A mistake of the server', ['INTERNAL_ERROR']),
  503: errorResponse('The database is away or the node stops; Retry-After says when to try again', [
    'SERVICE_UNAVAILABLE',
    'SERVER_STOPPING',
  ]),
}

function errorResponse(description: string, names: ErrorName[]): Json {
  const examples = names.map((name) => [
    name,
    { value: { result: 'error', code: errors[name].code, msg: errors[name].msg } },
  ])
  const schema = { $ref: '#/components/schemas/Error' }
  return { description, content: { 'application/json': { schema, examples: Object.fromEntries(examples) } } }
}

export function isRequired({ schema }: Param): boolean {
  return !schema.safeParse(undefined).success
}

export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return made
}

const entries = (params: Params): [string, Param][] => Object.entries(params)
