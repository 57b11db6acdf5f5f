import { request } from '../http.ts'
import type { Person, World } from '../world.ts'

interface Refused {
  status?: number
  code?: string
  /** Further fields of the error besides the text. */
  [field: string]: unknown
}

/** Returns the expected error response, as the SDK throws it and `call` returns it. */
export const refusal = (msg: string, { status = 400, code = 'BAD_REQUEST', ...fields }: Refused = {}) => ({
  status,
  body: { result: 'error', code, msg, ...fields },
})

/** Makes a request without the SDK: `call(world, iris, 'PATCH /streams/4', { description: '"x"' })`. */
export async function call(
  world: World,
  { email, api_key }: Person,
  what: string,
  params: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const [method = '', path = ''] = what.split(' ')
  const { status, body } = await request(world.nodes.b.url, {
    method,
    path: `/api/v1${path}`,
    credentials: { email, api_key },
    ...(method === 'GET' ? { query: params } : { form: params }),
  })
  return { status, body }
}
