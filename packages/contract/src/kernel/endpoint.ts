import type { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import type { Fields } from './field.ts'
import type { FileRule, FileToUpload, UploadedFile } from './files.ts'
import type { Param } from './params.ts'

export type Params = Readonly<Record<string, Param>>

/**
 * Restricts who may call an endpoint. Rules are checked in the declared order, before any parameter
 * is decoded.
 */
export type CallerRule = 'administrators' | 'owners' | 'not guests' | 'people'

export interface Endpoint<
  P extends Params = Params,
  R extends Fields = Fields,
  A extends Auth = Auth,
  F extends FileRule | undefined = FileRule | undefined,
> {
  readonly summary: string
  readonly description?: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** The path, with `{name}` for each path parameter. */
  readonly path: `/${string}`
  /**
   * `nobody`: the endpoint is public. `user`: HTTP Basic with e-mail address and API key, or a
   * session cookie. `webhook`: for other services, which send the key of an incoming-webhook bot in
   * the URL, in a form or by HTTP Basic. The body of a webhook request contains no parameters.
   */
  readonly auth: A
  readonly only?: readonly CallerRule[]
  /** Whether incoming-webhook bots may call the endpoint. False by default. */
  readonly webhookBots?: boolean
  /**
   * False if `Idempotency-Key` is ignored, because the response contains a secret or is too large to
   * be stored.
   */
  readonly idempotent?: boolean
  /**
   * Whether the response has another shape in another generation of the protocol. A retry with the same
   * `Idempotency-Key` must then be of the same generation.
   */
  readonly variesByGeneration?: boolean
  /** Parameters that may differ between a request and its retry with the same `Idempotency-Key`. */
  readonly ignoredInRetries?: readonly string[]
  /**
   * Whether the endpoint starts a session. Browsers may then call it only from the organization's
   * own pages.
   */
  readonly startsSession?: boolean
  /** Whether the response is a stream of server-sent events if the request accepts that type. */
  readonly eventStream?: boolean
  /** Whether `api_key` in the URL authenticates a request without an `Authorization` header. */
  readonly takesKeyInUrl?: boolean
  readonly params: P
  /** Present if the endpoint accepts files. They are the parts of a multipart form, with any names. */
  readonly files?: F
  /** Fields of a successful response in addition to `result` and `msg`. */
  readonly response: R
  /** Whether the response may have fields that are not declared. */
  readonly isResponseOpen?: boolean
  /** Errors that the action raises. `listRaisableErrors` adds the errors that follow from the declaration. */
  readonly errors: readonly ErrorName[]
}

export type Auth = 'nobody' | 'user' | 'webhook'

export function endpoint<
  P extends Params,
  R extends Fields,
  const A extends Auth,
  F extends FileRule | undefined = undefined,
>(declaration: Endpoint<P, R, A, F>): Endpoint<P, R, A, F> {
  return declaration
}

/**
 * Decoded parameters, as an action receives them. For endpoints with streamed files, the server
 * adds the file.
 */
export type ParamsOf<E extends Endpoint> = {
  [Name in keyof E['params']]: z.output<E['params'][Name]['schema']>
} & (IsStreamed<E> extends true ? unknown : FilesOf<E, UploadedFile>)

/** Whether the endpoint takes a file that its action reads while the file arrives. */
export type IsStreamed<E extends Endpoint> = [E['files']] extends [undefined]
  ? false
  : NonNullable<E['files']> extends { streamed: true }
    ? true
    : false

type FilesOf<E extends Endpoint, File> = E['files'] extends undefined
  ? unknown
  : { readonly files: readonly File[] }

/** Arguments that a client passes. Parameters with a default are optional. */
export type ArgumentsOf<E extends Endpoint> = {
  [Name in keyof E['params'] as undefined extends z.input<E['params'][Name]['schema']>
    ? never
    : Name]: z.input<E['params'][Name]['schema']>
} & {
  [Name in keyof E['params'] as undefined extends z.input<E['params'][Name]['schema']>
    ? Name
    : never]?: z.input<E['params'][Name]['schema']>
} & FileArgumentsOf<E>

type FileArgumentsOf<E extends Endpoint> =
  NonNullable<E['files']> extends { isOptional: true }
    ? Partial<FilesOf<E, FileToUpload>>
    : FilesOf<E, FileToUpload>

/** Fields that an action returns and a client receives. */
export type ResponseOf<E extends Endpoint> = {
  [Name in keyof E['response'] as undefined extends z.output<E['response'][Name]> ? never : Name]: z.output<
    E['response'][Name]
  >
} & {
  [Name in keyof E['response'] as undefined extends z.output<E['response'][Name]> ? Name : never]?: z.output<
    E['response'][Name]
  >
}

/** Errors that any request can get. */
const commonErrors: readonly ErrorName[] = [
  'REQUEST_TOO_LARGE',
  'FORM_TOO_LARGE',
  'RATE_LIMIT_HIT',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
  'STORAGE_UNAVAILABLE',
  'SERVER_STOPPING',
  'INVALID_JSON',
  'MALFORMED_FORM',
  'UNREADABLE_REQUEST',
]
const decodingErrors: readonly ErrorName[] = [
  'BAD_REQUEST',
  'ARGUMENT_NOT_JSON',
  'ARGUMENT_HAS_NUL',
  'REQUEST_VARIABLE_MISSING',
  'REQUEST_VARIABLE_INVALID',
  'REQUEST_CONFUSING_VAR',
]
const credentials: readonly ErrorName[] = [
  'NOT_LOGGED_IN',
  'OTHER_ACCOUNT',
  'NOT_BASIC_AUTHENTICATION',
  'INVALID_AUTHORIZATION_HEADER',
  'MALFORMED_API_KEY',
  'INVALID_API_KEY',
  'ORGANIZATION_DEACTIVATED',
  'ACCOUNT_DEACTIVATED',
  'WRONG_SUBDOMAIN',
  'CLOSED_TO_WEBHOOK_BOTS',
  'TOO_MANY_CONNECTIONS',
]

const webhookCredentials: readonly ErrorName[] = [
  'REQUEST_VARIABLE_MISSING',
  'BASIC_AUTHORIZATION_MISSING',
  ...credentials.filter(
    (name) => !['NOT_LOGGED_IN', 'OTHER_ACCOUNT', 'CLOSED_TO_WEBHOOK_BOTS'].includes(name),
  ),
  'WEBHOOK_ORGANIZATION_DEACTIVATED',
  'WEBHOOK_ACCOUNT_DEACTIVATED',
  'WEBHOOK_WRONG_SUBDOMAIN',
  'ONLY_FOR_WEBHOOK_BOTS',
]
const credentialsOf: Record<Auth, readonly ErrorName[]> = {
  nobody: [],
  user: credentials,
  webhook: webhookCredentials,
}

/** Requests with a session that change data must come from the organization's own pages. */
const crossOriginErrors: readonly ErrorName[] = ['CROSS_ORIGIN']
const uploadErrors: readonly ErrorName[] = ['FILE_TOO_LARGE']
const idempotencyErrors: readonly ErrorName[] = ['IDEMPOTENCY_KEY_INVALID', 'IDEMPOTENCY_KEY_REUSED']

/** Returns whether a retry with the same `Idempotency-Key` gets the response of the first request. */
export function isIdempotent({ auth, method, idempotent = true }: Endpoint): boolean {
  return auth === 'user' && method !== 'GET' && idempotent
}

export const callerErrors: Record<CallerRule, ErrorName> = {
  administrators: 'MUST_BE_ADMINISTRATOR',
  owners: 'MUST_BE_OWNER',
  'not guests': 'NOT_FOR_GUESTS',
  people: 'NOT_FOR_BOTS',
}

/** Returns whether browsers may call the endpoint only from the organization's own pages. */
function needsOwnOrigin({ auth, method, startsSession }: Endpoint): boolean {
  return startsSession === true || (auth === 'user' && method !== 'GET')
}

/** Returns every error that a request to this endpoint can get. */
export function listRaisableErrors(declared: Endpoint): Set<ErrorName> {
  return new Set([
    ...declared.errors,
    ...(declared.only ?? []).map((rule) => callerErrors[rule]),
    ...credentialsOf[declared.auth],
    ...(needsOwnOrigin(declared) ? crossOriginErrors : []),
    ...(isIdempotent(declared) ? idempotencyErrors : []),
    ...(Object.keys(declared.params).length > 0 ? decodingErrors : []),
    ...(declared.files ? uploadErrors : []),
    ...commonErrors,
  ])
}
