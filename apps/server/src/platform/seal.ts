import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/**
 * Identifies what a sealed text belongs to: its purpose, and the immutable columns of its row. A
 * seal opens only for its owner, so exchanging the seals of two rows in the database gains nothing.
 */
export type SealOwner = readonly [purpose: string, ...row: (string | number | null)[]]

export interface SealingKey {
  /**
   * The first bytes of every seal made with this key; SQL uses them to find seals of other keys.
   */
  readonly header: Buffer
  seal(text: string, owner: SealOwner): Buffer
  /** Throws if the seal was made with another key or for another owner, or was changed. */
  open(sealed: Buffer, owner: SealOwner): string
  /** Opens a seal without a header, made before seals had owners. */
  openUnbound(sealed: Buffer): string
}

/**
 * Followed by four bytes that identify the key. Seals without owners begin with twelve random bytes
 * instead.
 */
const magic = Buffer.from('OXS1')
export const sealHeaderBytes = magic.length + 4

/**
 * Makes a key for AES-256-GCM. The header and the owner are authenticated data; the owner is not
 * stored.
 */
export function makeSealingKey(derive: (use: string) => Buffer): SealingKey {
  const key = derive('seal')
  const unboundKey = derive('encryption')
  const header = Buffer.concat([magic, derive('seal id').subarray(0, sealHeaderBytes - magic.length)])
  const bind = (owner: SealOwner) => Buffer.concat([header, Buffer.from(JSON.stringify(owner))])
  return {
    header,
    seal: (text, owner) => {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bind(owner))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([header, nonce, cipher.getAuthTag(), sealed])
    },
    open: (sealed, owner) => decrypt(key, sealed.subarray(sealHeaderBytes), bind(owner)),
    openUnbound: (sealed) => decrypt(unboundKey, sealed),
  }
}

export function hasHeader(sealed: Buffer, { header }: Pick<SealingKey, 'header'>): boolean {
  return sealed.subarray(0, sealHeaderBytes).equals(header)
}

/** Whether a seal was made before seals had owners. */
export function isUnbound(sealed: Buffer): boolean {
  return !sealed.subarray(0, magic.length).equals(magic)
}

function decrypt(key: Buffer, sealed: Buffer, bound?: Buffer): string {
  const cipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 })
  if (bound) cipher.setAAD(bound)
  cipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([cipher.update(sealed.subarray(28)), cipher.final()]).toString('utf8')
}
