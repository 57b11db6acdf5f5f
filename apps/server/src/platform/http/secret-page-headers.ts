/** Headers of pages whose URL is a secret: it must not be framed, cached or sent as a referrer. */
export const secretPageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}
