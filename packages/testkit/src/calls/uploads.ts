import { type RawRequest, type RawResponse, request } from '../http.ts'
import type { NodeName } from '../test-server.ts'
import type { Person, World } from '../world.ts'

/** Uploads a file, and returns its `uri`. */
export async function upload(
  { uploads }: Pick<Person, 'uploads'>,
  name = 'notes.txt',
  content: string | Uint8Array = 'Water the roses.',
): Promise<string> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return (await uploads.upload({ files: [{ name, bytes }] })).uri
}

/** Requests a path outside the API, by default on node b. Sends credentials only if a person is given. */
export function fetchFile(
  world: World,
  person: Person | undefined,
  path: string,
  options: Partial<RawRequest> & { node?: NodeName } = {},
): Promise<RawResponse> {
  const { node = 'b', ...more } = options
  return request(world.nodes[node].url, { path, ...(person && { credentials: person }), ...more })
}

/** Returns the status of a person's request for a file: 200, 403 or 404. */
export async function statusOf(world: World, person: Person | undefined, path: string): Promise<number> {
  return (await fetchFile(world, person, path)).status
}
