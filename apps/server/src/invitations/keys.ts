import type { App } from '../platform/app.ts'
import { randomAlphanumerics } from '../platform/secrets.ts'

export interface LinkKey {
  key: string
  columns: { key_hash: Buffer; key_sealed: Buffer }
}

/** The secret of a link, and what the database may know of it. */
export function makeLinkKey({ secrets }: Pick<App, 'secrets'>): LinkKey {
  const key = randomAlphanumerics(24, 'abcdefghijklmnopqrstuvwxyz0123456789')
  return { key, columns: { key_hash: secrets.hash(key), key_sealed: secrets.encrypt(key) } }
}

/** What a letter has. */
export const confirmUrl = (origin: string, key: string): string => `${origin}/accounts/do_confirm/${key}`
/** What is passed on to many. */
export const joinUrl = (origin: string, key: string): string => `${origin}/join/${key}/`
