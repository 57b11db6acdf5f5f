import { z } from 'zod'
import { listEndpoints, type NamedEndpoint } from './api.ts'
import { type ErrorName, errors } from './errors.ts'
import { type Auth, callerErrors, type Endpoint, listRaisableErrors, type Params } from './kernel/endpoint.ts'
import { bytesPerMebibyte, type FileRule } from './kernel/files.ts'
import { commonResponseFields } from './kernel/ignored-parameters.ts'
import type { Param } from './kernel/params.ts'
import { chatFeatureLevel, chatVersion } from './plain/version.ts'

type Json = Record<string, unknown>

/** Returns the contract as an OpenAPI 3.1 document. */
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
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-oxbow',
          description:
            'The session of a browser, from `POST /api/v1/sessions`. The cookie is called `oxbow` on servers without https. Requests other than GET must come from a page of the organization itself.',
        },
        keyInUrl: {
          type: 'apiKey',
          in: 'query',
          name: 'api_key',
          description: 'The API key of the account; for webhooks, of an incoming-webhook bot.',
        },
      },
      schemas: { Error: errorSchema, IgnoredParameters: ignoredParameters },
      responses: sharedResponses,
    },
  }
}

const ignoredParameters = {
  ...schemaOf(commonResponseFields.ignored_parameters_unsupported, 'output'),
  description:
    'Names of request parameters that the endpoint does not support and ignored. Absent if there are none.',
}

const fieldsOfEveryResponse = {
  ignored_parameters_unsupported: { $ref: '#/components/schemas/IgnoredParameters' },
}

const errorSchema = {
  type: 'object',
  required: ['result', 'msg', 'code'],
  properties: {
    result: { const: 'error', description: 'Distinguishes error from success.' },
    msg: { type: 'string', description: 'A description of the error, for people.' },
    code: { type: 'string', description: 'Identifies the error, for programs. Codes do not change.' },
    name: {
      type: 'string',
      description:
        'The name of the error, more precise than its code. Only in responses to requests with a session.',
    },
    ...fieldsOfEveryResponse,
  },
}

/** Webhooks accept either scheme; the guide of each integration says which one its service uses. */
const security: Record<Auth, Json[]> = {
  nobody: [],
  user: [{ apiKey: [] }, { session: [] }],
  webhook: [{ keyInUrl: [] }, { apiKey: [] }],
}

function operation({ name, group, endpoint }: NamedEndpoint): Json {
  return {
    operationId: name,
    tags: [group],
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    security: [...security[endpoint.auth], ...(endpoint.takesKeyInUrl ? [{ keyInUrl: [] }] : [])],
    parameters: parameters(endpoint),
    ...requestBody(endpoint),
    responses: { 200: successResponse(endpoint), ...errorResponses(endpoint) },
  }
}

const isSentInQuery = ({ method, auth }: Endpoint): boolean =>
  method === 'GET' || method === 'DELETE' || auth === 'webhook'

function parameters(endpoint: Endpoint): Json[] {
  return entries(endpoint.params)
    .filter(([, param]) => param.location === 'path' || isSentInQuery(endpoint))
    .map(([name, param]) => ({
      name,
      in: param.location === 'path' ? 'path' : 'query',
      required: param.location === 'path' || isRequired(param),
      description: param.description,
      ...(param.encoding === 'json'
        ? { content: { 'application/json': { schema: schemaOf(param.schema, 'input') } } }
        : { schema: schemaOf(param.schema, 'input') }),
    }))
}

function requestBody(endpoint: Endpoint): Json {
  const fields = entries(endpoint.params).filter(([, param]) => param.location === 'arguments')
  if (endpoint.auth === 'webhook') return { requestBody: { required: true, content: anyBody } }
  const withFile = endpoint.files && multipartWithFile(endpoint.files, fields)
  if (withFile && !endpoint.files?.isOptional) return { requestBody: { required: true, content: withFile } }
  if (isSentInQuery(endpoint) || fields.length === 0) return {}
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

/** The body depends on the service that sends it. */
const anyBody = { '*/*': { schema: {} } }

function formOf(fields: [string, Param][]) {
  const required = fields.filter(([, param]) => isRequired(param)).map(([name]) => name)
  const properties = fields.map(([name, param]) => [
    name,
    { ...schemaOf(param.schema, 'input'), description: param.description },
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
  const schemaWithFiles = { ...schema, properties, ...(required.length > 0 && { required }) }
  return { 'multipart/form-data': { schema: schemaWithFiles, encoding } }
}

/** Describes the files that an endpoint accepts. */
export function fileText(rule: FileRule): string {
  if (rule.streamed)
    return 'One file of up to `max_file_upload_size_mib` MiB. The name of the form field does not matter.'
  const { maxFiles, maxBytes } = rule
  const count = maxFiles === 1 ? 'One file' : `Up to ${maxFiles} files`
  const suffix = maxFiles === 1 ? '' : ' each'
  return `${count} of up to ${maxBytes / bytesPerMebibyte} MiB${suffix}. The name of the form field does not matter.`
}

function successResponse(endpoint: Endpoint): Json {
  const { properties = {}, required = [] } = schemaOf(z.strictObject(endpoint.response), 'output') as {
    properties?: Json
    required?: string[]
  }
  const schema = {
    type: 'object',
    required: [...new Set(['result', 'msg', ...required])],
    properties: {
      result: { const: 'success', description: 'Distinguishes success from error.' },
      msg: { const: '', description: 'Always empty on success.' },
      ...properties,
      // Services send additional parameters to webhooks, so ignored parameters are not reported.
      ...(endpoint.auth !== 'webhook' && fieldsOfEveryResponse),
    },
  }
  return { description: 'Success', content: { 'application/json': { schema } } }
}

/**
 * Returns responses by status. Errors that many endpoints share are references; each other error
 * has an example.
 */
function errorResponses(endpoint: Endpoint): Json {
  const ownErrors = new Set([...endpoint.errors, ...(endpoint.only ?? []).map((rule) => callerErrors[rule])])
  const shared = [...listRaisableErrors(endpoint)]
    .map((name) => errors[name].status)
    .filter((status) => status in sharedResponses)
  const byStatus = Object.groupBy([...ownErrors], (name) => String(errors[name].status))
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
  403: errorResponse(
    "A request with a session was not made by the organization's own page, or expects the session of another account",
    ['CROSS_ORIGIN', 'OTHER_ACCOUNT'],
  ),
  413: errorResponse('The request is too large', ['REQUEST_TOO_LARGE']),
  422: errorResponse('The Idempotency-Key was used for another request', ['IDEMPOTENCY_KEY_REUSED']),
  429: errorResponse('Too many requests; Retry-After says when to try again', ['RATE_LIMIT_HIT']),
  500: errorResponse('An unexpected error of the server', ['INTERNAL_ERROR']),
  503: errorResponse(
    'The database is unavailable or the node is stopping; Retry-After says when to try again',
    ['SERVICE_UNAVAILABLE', 'SERVER_STOPPING'],
  ),
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

/** Returns the JSON schema of `schema`. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return putDescriptionsLast(made) as Json
}

/** Puts each description after the type that it describes. `z.toJSONSchema` writes that of an optional type first. */
function putDescriptionsLast(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(putDescriptionsLast)
  if (node === null || typeof node !== 'object') return node
  const made = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, putDescriptionsLast(value)]),
  )
  const { description, ...type } = made
  return typeof description === 'string' ? { ...type, description } : made
}

const entries = (params: Params): [string, Param][] => Object.entries(params)
