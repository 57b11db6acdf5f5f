import {
  type Api,
  type ArgumentsOf,
  api,
  type CommonResponseFields,
  type Endpoint,
  type ResponseOf,
} from '@oxbow/contract'
import { call } from './call.ts'
import type { ClientOptions, RequestOptions } from './request.ts'

export type CallOptions = Pick<RequestOptions, 'signal'>

/** The result of a call: the fields of its endpoint, and those that any response may have. */
export type CallResult<E extends Endpoint> = ResponseOf<E> & CommonResponseFields

export type Call<E extends Endpoint> =
  Record<string, never> extends ArgumentsOf<E>
    ? (args?: ArgumentsOf<E>, options?: CallOptions) => Promise<CallResult<E>>
    : (args: ArgumentsOf<E>, options?: CallOptions) => Promise<CallResult<E>>

/** `client.users.list()`: the groups and names of the contract, each a typed call. */
export type Client = {
  readonly [Group in keyof Api]: {
    readonly [Name in keyof Api[Group]]: Api[Group][Name] extends Endpoint ? Call<Api[Group][Name]> : never
  }
}

export function createClient(options: ClientOptions): Client {
  const groups = Object.entries(api).map(([group, endpoints]) => {
    const calls = Object.entries(endpoints).map(([name, endpoint]) => [
      name,
      (args?: object, { signal }: CallOptions = {}) =>
        call(options, endpoint as Endpoint, args ?? {}, { signal }),
    ])
    return [group, Object.fromEntries(calls)]
  })
  return Object.fromEntries(groups)
}
