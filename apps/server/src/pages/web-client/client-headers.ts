import type { Config } from '../../platform/config/settings.ts'
import { readS3Settings } from '../../platform/files/s3/s3-settings.ts'

/**
 * Returns the headers of the client's HTML document. They allow only scripts and styles of this
 * server, forbid inline scripts, and allow strings to become markup only through the client's
 * Trusted Types policy.
 */
export function clientHeaders(config: Config): Readonly<Record<string, string>> {
  return {
    'content-security-policy': contentPolicy(config),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    vary: 'accept, cookie',
  }
}

/**
 * Path of the service worker. It is at the root, because the scope of the worker must be the whole
 * origin.
 */
export const workerPath = '/sw.js'

/** Headers of the service worker: it may load files of this server and nothing else. */
export const workerHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; connect-src 'self'",
  'referrer-policy': 'no-referrer',
}

function contentPolicy(config: Config): string {
  const store = config.files_redirect ? findStoreOrigin(config) : undefined
  const media = ["'self'", ...(store ? [store] : [])].join(' ')
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Formulas and link previews need inline styles. The renderer limits which ones it writes.
    "style-src-attr 'unsafe-inline'",
    `img-src ${media} data: blob:`,
    "font-src 'self'",
    "connect-src 'self'",
    `media-src ${media} blob:`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types oxbow',
  ].join('; ')
}

/** Returns the origin of the object store, to which downloads are redirected. */
function findStoreOrigin(config: Config): string | undefined {
  const bucket = readS3Settings(config)
  return bucket && new URL(bucket.bucketUrl).origin
}
