/** Headers of pages whose address is a secret: no other page may show, keep or hear of it. */
export const guarded = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}
