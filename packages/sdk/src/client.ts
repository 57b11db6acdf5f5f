import type { Api, ArgumentsOf, CommonResponseFields, Endpoint, ResponseOf } from '@oxbow/contract'
import { parseWire } from '@oxbow/contract/plain'
import { wire } from '@oxbow/contract/wire'
import { type CallOptions, call } from './call.ts'
import type { Caller } from './request.ts'

/** The result of a call: the fields of the endpoint, and fields that any response may have. */
export type CallResult<E extends Endpoint> = ResponseOf<E> & CommonResponseFields

export type Call<E extends Endpoint> =
  Record<string, never> extends ArgumentsOf<E>
    ? (args?: ArgumentsOf<E>, options?: CallOptions) => Promise<CallResult<E>>
    : (args: ArgumentsOf<E>, options?: CallOptions) => Promise<CallResult<E>>

/** A typed call for each endpoint, by group and name of the contract, like `client.users.list()`. */
export type Client = {
  readonly [Group in keyof Api]: {
    readonly [Name in keyof Api[Group]]: Api[Group][Name] extends Endpoint ? Call<Api[Group][Name]> : never
  }
}

export function buildClient(caller: Caller): Client {
  const groups = Object.entries(wire).map(([group, endpoints]) => {
    const calls = Object.entries(endpoints).map(([name, line]) => [
      name,
      (args: object = {}, options?: CallOptions) => call(caller, parseWire(line), args, options),
    ])
    return [group, Object.fromEntries(calls)]
  })
  return Object.fromEntries(groups)
}
