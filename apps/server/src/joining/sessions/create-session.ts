import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import type { Caller } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { ResultWithHeaders } from '../../platform/result-with-headers.ts'
import { signIn } from '../../sign-in/sign-in.ts'

type Create = typeof api.sessions.create

export async function createSession(
  app: App,
  caller: Caller,
  params: ParamsOf<Create>,
): Promise<ResultWithHeaders<ResponseOf<Create>>> {
  const { user_id, cookies } = await signIn(app, caller, params)
  return new ResultWithHeaders({ user_id }, { 'set-cookie': cookies })
}
