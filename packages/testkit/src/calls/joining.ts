import { type RawResponse, request } from '../http.ts'
import type { MailServer } from '../mail-server.ts'
import type { World } from '../world.ts'

/** Returns the path of the link in the last e-mail to this address. */
export async function findLink(mail: MailServer, address: string): Promise<string> {
  const { text } = await mail.waitForEmail(address)
  const [, path] = /(\/accounts\/do_confirm\/[a-z0-9]{24})\s/.exec(text) ?? []
  if (!path) throw new Error(`no link in ${text}`)
  return path
}

/** A header that browsers send with forms of the server's own pages. */
export const ownPage = { 'sec-fetch-site': 'same-origin' }

export const goodPassword = 'heron lake 77 reeds'

/** Submits the registration form behind a link. Fields that are not given have valid values. */
export function submitRegistration(
  world: World,
  path: string,
  form: Record<string, string> = {},
  node: 'a' | 'b' = 'b',
): Promise<RawResponse> {
  const filled = { full_name: 'Nora New', password: goodPassword, ...form }
  return request(world.nodes[node].url, { method: 'POST', path, form: filled, headers: ownPage })
}
