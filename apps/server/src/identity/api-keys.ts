import type { App } from '../platform/app.ts'
import { randomAlphanumerics } from '../platform/secrets.ts'

export interface NewApiKey {
  api_key: string
  columns: { api_key_hash: Buffer; api_key_sealed: Buffer }
}

/** A key and what the database may know of it: enough to find it and, with the server's secret, to show it again. */
export function makeApiKey({ secrets }: Pick<App, 'secrets'>): NewApiKey {
  const api_key = randomAlphanumerics(32)
  return {
    api_key,
    columns: { api_key_hash: secrets.hash(api_key), api_key_sealed: secrets.encrypt(api_key) },
  }
}
