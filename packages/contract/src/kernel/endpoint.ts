import type { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import type { FileRule, FileToUpload, UploadedFile } from './files.ts'
import type { Param } from './params.ts'

export type Params = Readonly<Record<string, Param>>
export type Fields = Readonly<Record<string, z.ZodType>>

/** Who may call, beyond having an account. Checked before any parameter is decoded, in the order listed. */
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
  /** With `{name}` for a parameter in the path. */
  readonly path: `/${string}`
  /**
   * `nobody`: public. `user`: HTTP Basic with e-mail address and API key. `webhook`: for other services, which have the key
   * of an incoming-webhook bot in the URL or in a form, or HTTP Basic; the body is theirs and no list of parameters.
   */
  readonly auth: A
  readonly only?: readonly CallerRule[]
  /** Incoming-webhook bots may call nothing but what says so. */
  readonly webhookBots?: boolean
  /** False where an `Idempotency-Key` is not heeded: the answer holds a secret, which is not kept, or all of the state. */
  readonly idempotent?: boolean
  /** The answer may also be a stream of server-sent events, where the caller accepts one. */
  readonly eventStream?: boolean
  readonly params: P
  /** Where it takes files: they come as parts of a multipart form, under any name. */
  readonly files?: F
  /** What stands in the success envelope beside `result` and `msg`. */
  readonly response: R
  /** The answer may hold more than is declared. */
  readonly isResponseOpen?: boolean
  /** What this endpoint raises itself; see `raisable` for what comes with its declaration. */
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

/** What an action receives. */
export type ParamsOf<E extends Endpoint> = {
  [Name in keyof E['params']]: z.output<E['params'][Name]['schema']>
} & FilesOf<E, UploadedFile>

type FilesOf<E extends Endpoint, File> = E['files'] extends undefined
  ? unknown
  : { readonly files: readonly File[] }

/** What a client gives: parameters with a default may be left out. */
export type ArgumentsOf<E extends Endpoint> = {
  [Name in keyof E['params'] as undefined extends z.input<E['params'][Name]['schema']>
    ? never
    : Name]: z.input<E['params'][Name]['schema']>
} & {
  [Name in keyof E['params'] as undefined extends z.input<E['params'][Name]['schema']>
    ? Name
    : never]?: z.input<E['params'][Name]['schema']>
} & GivenFilesOf<E>

type GivenFilesOf<E extends Endpoint> =
  NonNullable<E['files']> extends { isOptional: true }
    ? Partial<FilesOf<E, FileToUpload>>
    : FilesOf<E, FileToUpload>

/** What an action returns and a client gets. */
export type ResponseOf<E extends Endpoint> = {
  [Name in keyof E['response'] as undefined extends z.output<E['response'][Name]> ? never : Name]: z.output<
    E['response'][Name]
  >
} & {
  [Name in keyof E['response'] as undefined extends z.output<E['response'][Name]> ? Name : never]?: z.output<
    E['response'][Name]
  >
}

/** Errors of the transport and of decoding can meet any call. */
const always: readonly ErrorName[] = [
  'REQUEST_TOO_LARGE',
  'RATE_LIMIT_HIT',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
  'STORAGE_UNAVAILABLE',
  'SERVER_STOPPING',
  'INVALID_JSON',
  'MALFORMED_FORM',
  'UNREADABLE_REQUEST',
]
const decoding: readonly ErrorName[] = [
  'BAD_REQUEST',
  'ARGUMENT_NOT_JSON',
  'ARGUMENT_HAS_NUL',
  'REQUEST_VARIABLE_MISSING',
  'REQUEST_VARIABLE_INVALID',
  'REQUEST_CONFUSING_VAR',
]
const credentials: readonly ErrorName[] = [
  'NOT_LOGGED_IN',
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
  ...credentials.filter((name) => name !== 'NOT_LOGGED_IN' && name !== 'CLOSED_TO_WEBHOOK_BOTS'),
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

const uploading: readonly ErrorName[] = ['FILE_TOO_LARGE']
const repetition: readonly ErrorName[] = ['IDEMPOTENCY_KEY_INVALID', 'IDEMPOTENCY_KEY_REUSED']

/** Whether a call that is repeated with the same `Idempotency-Key` is answered with the first result. */
export function isIdempotent({ auth, method, idempotent = true }: Endpoint): boolean {
  return auth === 'user' && method !== 'GET' && idempotent
}

export const callerErrors: Record<CallerRule, ErrorName> = {
  administrators: 'MUST_BE_ADMINISTRATOR',
  owners: 'MUST_BE_OWNER',
  'not guests': 'NOT_FOR_GUESTS',
  people: 'NOT_FOR_BOTS',
}

/** Every error that a call of this endpoint may answer with. */
export function raisable(declared: Endpoint): Set<ErrorName> {
  return new Set([
    ...declared.errors,
    ...(declared.only ?? []).map((rule) => callerErrors[rule]),
    ...credentialsOf[declared.auth],
    ...(isIdempotent(declared) ? repetition : []),
    ...(Object.keys(declared.params).length > 0 ? decoding : []),
    ...(declared.files ? uploading : []),
    ...always,
  ])
}
