import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/**
 * Identifies what a sealed text belongs to: its purpose, and the immutable columns of its row. A seal can be
 * opened only with its binding, so an attacker gains nothing by exchanging the seals of two rows.
 */
export type SealBinding = readonly [purpose: string, ...row: (string | number | null)[]]

export interface SealingKey {
  /**
   * The first bytes of every seal made with this key; SQL uses them to find seals of other keys.
   */
  readonly header: Buffer
  seal(text: string, binding: SealBinding): Buffer
  /** Decrypts a seal. Throws if it was made with another key or another binding, or was changed. */
  open(sealed: Buffer, binding: SealBinding): string
  /** Opens a seal without a header, which was made before seals had bindings. */
  openUnbound(sealed: Buffer): string
}

/**
 * The beginning of a seal; four bytes that identify the key follow. Seals without bindings begin with twelve
 * random bytes instead.
 */
const magic = Buffer.from('OXS1')
export const sealHeaderBytes = magic.length + 4

/**
 * Makes a key for AES-256-GCM. The header and the binding are authenticated data; the binding is
 * not stored.
 */
export function makeSealingKey(derive: (use: string) => Buffer): SealingKey {
  const key = derive('seal')
  const unboundKey = derive('encryption')
  const header = Buffer.concat([magic, derive('seal id').subarray(0, sealHeaderBytes - magic.length)])
  const bind = (binding: SealBinding) => Buffer.concat([header, Buffer.from(JSON.stringify(binding))])
  return {
    header,
    seal: (text, binding) => {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bind(binding))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([header, nonce, cipher.getAuthTag(), sealed])
    },
    open: (sealed, binding) => decrypt(key, sealed.subarray(sealHeaderBytes), bind(binding)),
    openUnbound: (sealed) => decrypt(unboundKey, sealed),
  }
}

export function hasHeader(sealed: Buffer, { header }: Pick<SealingKey, 'header'>): boolean {
  return sealed.subarray(0, sealHeaderBytes).equals(header)
}

/** Whether a seal was made before seals had bindings. */
export function isUnbound(sealed: Buffer): boolean {
  return !sealed.subarray(0, magic.length).equals(magic)
}

function decrypt(key: Buffer, sealed: Buffer, bound?: Buffer): string {
  const cipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 })
  if (bound) cipher.setAAD(bound)
  cipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([cipher.update(sealed.subarray(28)), cipher.final()]).toString('utf8')
}
