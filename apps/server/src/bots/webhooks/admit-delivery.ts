import { ApiError } from '@oxbow/contract'
import type { FastifyRequest } from 'fastify'
import type { Actor, Credentials, KeyCredentials } from '../../platform/actor.ts'
import type { Delivery } from '../../platform/http/delivery.ts'
import { readBasicAuthorization, readKey } from '../../platform/http/read-caller.ts'
import { anonymousBodyLimit, readQuery, receiveWhole } from '../../platform/http/request-input.ts'
import { getIntegration } from './access.ts'
import { isForm, readDeliveryForm } from './delivery-form.ts'

/** Authenticates the bot, counts the request and throws if the bot may not deliver. */
type Admit = (credentials: Credentials) => Promise<Actor>

interface AdmittedDelivery {
  caller: Actor
  credentials: Credentials
  /** Absent for HEAD requests, with which some services check the URL. */
  delivery?: Delivery
}

/**
 * Maximum size of a delivery's body in bytes. Some services send long histories, but rarely more
 * than this.
 */
const deliveryLimit = 5 * 1_048_576

/**
 * Authenticates and reads a delivery. The integration determines whether the key is in the URL or
 * form, or in an HTTP Basic header.
 */
export async function admitDelivery(request: FastifyRequest, admit: Admit): Promise<AdmittedDelivery> {
  const integration = await getIntegration((request.params as { integration: string }).integration)
  if (request.method === 'HEAD' && !integration.acceptsHead)
    throw new ApiError('METHOD_NOT_ALLOWED', { allowed_methods: ['POST'] })
  return integration.authentication === 'basic'
    ? admitByHeader(request, admit)
    : admitByKey(request, withWebhookErrors(admit))
}

async function admitByHeader(request: FastifyRequest, admit: Admit): Promise<AdmittedDelivery> {
  const { authorization } = request.headers
  if (!authorization) throw new ApiError('BASIC_AUTHORIZATION_MISSING')
  const credentials = readBasicAuthorization(authorization)
  const caller = await admit(credentials)
  return { caller, credentials, ...(await readBody(request, deliveryLimit)) }
}

/**
 * Authenticates by the key in the form or, if the form has none, in the URL. Without a valid key in
 * the URL, only a short body is accepted.
 */
async function admitByKey(request: FastifyRequest, admit: Admit): Promise<AdmittedDelivery> {
  request.hasKeyInUrl = true
  const inUrl = readQuery(request.raw).get('api_key') as string | undefined
  const mayBeInForm = isForm(request.contentType)
  const first = await tryKey(admit, inUrl)
  if ('error' in first && !mayBeInForm) throw first.error
  const { delivery } = await readBody(request, 'error' in first ? anonymousBodyLimit : deliveryLimit)
  const inForm = delivery?.form.get('api_key')
  if (inForm === undefined || inForm === inUrl) {
    if ('error' in first) throw first.error
    return { ...first, ...(delivery && { delivery }) }
  }
  const credentials = readKey(inForm)
  return { caller: await admit(credentials), credentials, ...(delivery && { delivery }) }
}

async function tryKey(
  admit: Admit,
  key: string | undefined,
): Promise<{ caller: Actor; credentials: KeyCredentials } | { error: unknown }> {
  try {
    if (key === undefined) throw new ApiError('REQUEST_VARIABLE_MISSING', { var_name: 'api_key' })
    const credentials = readKey(key)
    return { caller: await admit(credentials), credentials }
  } catch (error) {
    return { error }
  }
}

const webhookErrors = {
  ORGANIZATION_DEACTIVATED: 'WEBHOOK_ORGANIZATION_DEACTIVATED',
  ACCOUNT_DEACTIVATED: 'WEBHOOK_ACCOUNT_DEACTIVATED',
  WRONG_SUBDOMAIN: 'WEBHOOK_WRONG_SUBDOMAIN',
} as const

/**
 * Replaces some errors by their webhook variants, whose status is not 401. If the key is not in an
 * `Authorization` header, 401 means only that the key is unknown.
 */
function withWebhookErrors(admit: Admit): Admit {
  return (credentials) =>
    admit(credentials).catch((error: unknown) => {
      const name = error instanceof ApiError ? error.errorName : ''
      throw Object.hasOwn(webhookErrors, name)
        ? new ApiError(webhookErrors[name as keyof typeof webhookErrors])
        : error
    })
}

async function readBody(request: FastifyRequest, limit: number): Promise<{ delivery?: Delivery }> {
  if (request.method === 'HEAD') return {}
  const { raw, contentType } = request
  const body = await receiveWhole(raw, limit)
  const header = (name: string) => {
    const value = raw.headers[name.toLowerCase()]
    return Array.isArray(value) ? value.join(', ') : value
  }
  const query = readQuery(raw) as Map<string, string>
  return { delivery: { body, contentType, query, form: await readDeliveryForm(body, contentType), header } }
}
