import { type Endpoint, errors, type NamedEndpoint, type Params } from '@oxbow/contract'
import { fileText, isRequired, schemaOf } from '@oxbow/contract/openapi'

export interface Row {
  name: string
  type: string
  required: boolean
  about: string
}

type Schema = Record<string, unknown>

export function describeParams(endpoint: Endpoint): Row[] {
  return [...describeArguments(endpoint), ...describeFiles(endpoint)]
}

function describeFiles({ files }: Endpoint): Row[] {
  return files
    ? [{ name: 'file', type: 'multipart file', required: !files.isOptional, about: fileText(files) }]
    : []
}

function describeArguments(endpoint: Endpoint): Row[] {
  return Object.entries(endpoint.params as Params).map(([name, param]) => {
    const schema = schemaOf(param.schema, 'input')
    const hint = param.location === 'path' ? 'in the path' : param.encoding === 'json' ? 'JSON' : ''
    return {
      name,
      type: [typeText(schema), hint].filter(Boolean).join(', '),
      required: isRequired(param),
      about: [param.description, defaultText(schema), param.alias && `Also accepted as \`${param.alias}\`.`]
        .filter(Boolean)
        .join(' '),
    }
  })
}

export function describeResponse(endpoint: Endpoint): Row[] {
  return Object.entries(endpoint.response).flatMap(([name, shape]) => {
    const schema = schemaOf(shape, 'output')
    const row = {
      name,
      type: typeText(schema),
      required: !isOptional(shape),
      about: shape.description,
    }
    return [row, ...describeInside(name, schema)]
  })
}

/** Describes the fields of an object, or of the objects in a list. */
function describeInside(name: string, schema: Schema): Row[] {
  const inside = (schema.type === 'array' ? (schema.items ?? {}) : schema) as Schema
  const properties = inside.properties as Record<string, Schema> | undefined
  const required = (inside.required ?? []) as string[]
  const prefix = schema.type === 'array' ? `${name}[].` : `${name}.`
  return Object.entries(properties ?? {}).map(([key, member]) => ({
    name: prefix + key,
    type: typeText(member),
    required: required.includes(key),
    about: String(member.description ?? ''),
  }))
}

function typeText(schema: Schema): string {
  const choices = schema.anyOf as Schema[] | undefined
  if (choices) return choices.map(typeText).join(' or ')
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(', ')
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.prefixItems)) return `[${schema.prefixItems.map(typeText).join(', ')}]`
  if (schema.type === 'array') return `list of ${typeText((schema.items ?? {}) as Schema)}`
  if (Array.isArray(schema.type)) return schema.type.join(' or ')
  return String(schema.type ?? 'any')
}

function defaultText(schema: Schema): string | undefined {
  return 'default' in schema ? `Default: \`${JSON.stringify(schema.default)}\`.` : undefined
}

function isOptional(shape: { safeParse(value: unknown): { success: boolean } }): boolean {
  return shape.safeParse(undefined).success
}

/**
 * Lists the errors that are specific to the endpoint. The introduction of the reference describes
 * the errors that every endpoint can return.
 */
export function describeErrors(endpoint: Endpoint): { status: number; code: string; msg: string }[] {
  return endpoint.errors.map((name) => {
    const { status, code, msg } = errors[name]
    return { status, code, msg }
  })
}

const callers = {
  administrators: 'administrators and owners',
  owners: 'owners',
  'not guests': 'everyone but guests',
  people: 'people, not bots',
}

export function describeCallers({ auth, only = [] }: Endpoint): string {
  if (auth === 'nobody') return 'Public: no credentials are needed'
  if (auth === 'webhook')
    return 'Only incoming-webhook bots, with the key in the URL or HTTP Basic, depending on the integration'
  return only.length === 0 ? 'Every account' : `Only ${only.map((rule) => callers[rule]).join('; ')}`
}

/** Returns a request that can be pasted into a shell. */
export function curlExample({ endpoint }: NamedEndpoint, origin: string): string {
  if (endpoint.auth === 'webhook') {
    const url = `${origin}${endpoint.path.replace('{integration}', 'helloworld')}`
    return `curl '${url}?api_key=API_KEY&stream=STREAM' \\\n  -H 'Content-Type: application/json' -d '{…}'`
  }
  const inQuery = endpoint.method === 'GET' || endpoint.method === 'DELETE'
  const path = endpoint.path.replace(/\{\w+\}/g, '7')
  const listed = Object.entries(endpoint.params as Params).filter(
    ([, param]) => param.location === 'arguments' && isRequired(param),
  )
  return [
    `curl ${endpoint.method === 'GET' ? '' : `-X ${endpoint.method} `}${origin}${path}`,
    ...(endpoint.auth === 'user' ? ['-u EMAIL:API_KEY'] : []),
    ...(inQuery && listed.length > 0 ? ['-G'] : []),
    ...listed.map(([name, param]) => {
      const value = exampleValue(param.encoding, schemaOf(param.schema, 'input'))
      return `${endpoint.files ? '-F' : '--data-urlencode'} '${name}=${value}'`
    }),
    ...(endpoint.files ? ['-F file=@FILE'] : []),
  ].join(' \\\n  ')
}

function exampleValue(encoding: 'text' | 'json', schema: Schema): string {
  if (encoding === 'text') return '…'
  if (schema.type === 'array') return '[…]'
  return schema.type === 'integer' ? '1' : '…'
}
