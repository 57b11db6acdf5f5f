import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import type { Caller } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { findOrganization } from './queries.ts'

type Check = typeof api.server.checkSubdomain

/** Maximum length of a DNS label. */
const maxLength = 63
const minLength = 3

/** Returns `available`, or why a new organization cannot have this subdomain. */
export async function checkSubdomain(
  { db }: App,
  _caller: Caller,
  { subdomain }: ParamsOf<Check>,
): Promise<ResponseOf<Check>> {
  return { msg: findFormProblem(subdomain) ?? (await findConflict(db, subdomain)) ?? 'available' }
}

function findFormProblem(subdomain: string): string | undefined {
  if (subdomain.startsWith('-') || subdomain.endsWith('-')) return "Subdomain cannot start or end with a '-'."
  if (!/^[a-z0-9-]*$/.test(subdomain)) return "Subdomain can only have lowercase letters, numbers, and '-'s."
  if (subdomain.length < minLength) return 'Subdomain needs to have length 3 or greater.'
  return undefined
}

async function findConflict(db: App['db'], subdomain: string): Promise<string | undefined> {
  const isFree = subdomain.length <= maxLength && !(await findOrganization(db, subdomain))
  return isFree ? undefined : 'Subdomain unavailable. Please choose a different one.'
}
