import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listEndpoints } from './api.ts'
import { errors } from './errors.ts'
import { listRaisableErrors } from './kernel/endpoint.ts'
import { openApiDocument } from './openapi.ts'

type Json = Record<string, unknown>

const security = {
  nobody: [],
  user: [{ apiKey: [] }, { session: [] }],
  webhook: [{ keyInUrl: [] }, { apiKey: [] }],
}

test('the OpenAPI document has one operation for every endpoint', () => {
  const paths = openApiDocument().paths as Record<string, Record<string, Json>>
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))

  assert.equal(operations.length, listEndpoints().length)
  for (const { name, endpoint } of listEndpoints()) {
    const operation = paths[endpoint.path]?.[endpoint.method.toLowerCase()]
    assert.equal(operation?.operationId, name)
    const inUrl = endpoint.takesKeyInUrl ? [{ keyInUrl: [] }] : []
    assert.deepEqual(operation.security, [...security[endpoint.auth], ...inUrl])
    const declared = Object.keys(operation.responses as Json)
    const raised = [...listRaisableErrors(endpoint)].map((error) => String(errors[error].status))
    assert.deepEqual(new Set(declared), new Set(['200', ...raised]), name)
  }
})

test('paths contain exactly the declared path parameters, in order', () => {
  for (const { name, endpoint } of listEndpoints()) {
    const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
    const declared = Object.entries(endpoint.params).filter(([, param]) => param.location === 'path')
    assert.deepEqual(
      inPath,
      declared.map(([key]) => key),
      name,
    )
  }
})

test('every response may list ignored parameters, except responses to webhooks', () => {
  const document = openApiDocument() as { paths: Record<string, Record<string, Json>>; components: Json }
  for (const { name, endpoint } of listEndpoints()) {
    const success = JSON.stringify(document.paths[endpoint.path]?.[endpoint.method.toLowerCase()]?.responses)
    assert.equal(success.includes('ignored_parameters_unsupported'), endpoint.auth !== 'webhook', name)
  }
  assert.match(JSON.stringify(document.components), /"Error":.*"ignored_parameters_unsupported"/)
})

test('every reference in the OpenAPI document resolves', () => {
  const document = openApiDocument()
  const references: string[] = []
  JSON.stringify(document, (key, value) => {
    if (key === '$ref') references.push(value)
    return value
  })
  assert.ok(references.length > 0)
  for (const reference of references) {
    const target = reference
      .replace('#/', '')
      .split('/')
      .reduce<unknown>((node, step) => (node as Json)?.[step], document)
    assert.ok(target, reference)
  }
})

test('no two endpoints share method and path', () => {
  const places = listEndpoints().map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
  assert.equal(new Set(places).size, places.length)
})

test('endpoints that accept files have a multipart body with a file', () => {
  const paths = openApiDocument().paths as Record<string, Record<string, Json>>
  const withFiles = listEndpoints().filter(({ endpoint }) => endpoint.files)
  assert.ok(withFiles.length > 0)
  for (const { endpoint } of withFiles) {
    const operation = paths[endpoint.path]?.[endpoint.method.toLowerCase()] as { requestBody: Json }
    const content = operation.requestBody.content as Json
    const isOptional = endpoint.files?.isOptional ?? false
    if (!isOptional) assert.deepEqual(Object.keys(content), ['multipart/form-data'])
    const { schema } = content['multipart/form-data'] as { schema: { properties: Json; required?: string[] } }
    assert.ok('file' in schema.properties)
    assert.equal(schema.required?.includes('file') ?? false, !isOptional, endpoint.path)
  }
})

test('every parameter and every field in the OpenAPI document has a description', () => {
  const undescribed: string[] = []
  function visit(node: unknown, path: string): void {
    if (node === null || typeof node !== 'object') return
    const { properties, parameters } = node as { properties?: Json; parameters?: Json[] }
    const fields = properties ? Object.entries(properties) : []
    const named = (Array.isArray(parameters) ? parameters : []).map(
      ({ name, ...rest }) => [name, rest] as const,
    )
    for (const [name, field] of [...fields, ...named])
      if (!(field as Json).description && !('$ref' in (field as Json))) undescribed.push(`${path}.${name}`)
    for (const [key, child] of Object.entries(node)) visit(child, `${path}.${key}`)
  }
  visit(openApiDocument().paths, 'paths')
  assert.deepEqual(undescribed, [])
})
