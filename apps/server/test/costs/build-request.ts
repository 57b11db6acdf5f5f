import type { Params } from '@oxbow/contract'
import type { Person, RawRequest } from '@oxbow/testkit'
import { getEndpoint } from '@oxbow/testkit/calls/callers'

/** Builds a request with a body in JSON or, with files, in parts. A GET has no body. */
export function buildRequest(name: string, all: object, credentials: Person): RawRequest {
  const { method, path, params } = getEndpoint(name)
  const entries = Object.entries(all).filter(([key]) => key !== 'files')
  const isPart = ([key]: [string, unknown]) => (params as Params)[key]?.location === 'path'
  const values = new Map(entries.filter(isPart))
  const given = Object.fromEntries(entries.filter((entry) => !isPart(entry)))
  const common = {
    method,
    path: path.replace(/\{(\w+)\}/g, (_, key) => String(values.get(key))),
    credentials,
  }
  const texts = () => Object.fromEntries(Object.entries(given).map(([key, value]) => [key, toText(value)]))
  if (method === 'GET') return { ...common, query: texts() }
  if (!('files' in all)) return { ...common, json: given }
  const files = all.files as { name: string; bytes: Uint8Array }[]
  return {
    ...common,
    multipart: texts(),
    files: Object.fromEntries(files.map((file) => [file.name, file.bytes])),
  }
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
