// This file is imported dynamically, because the list of domains takes memory. It exists because a
// bundle has the named exports of a CommonJS package only if the package is imported statically.
export { isDisposableEmailDomain } from 'disposable-email-domains-js'
