// Importing this file loads the list of domains, which uses memory. A bundle has the names of a CommonJS
// package only if it is imported statically.
export { isDisposableEmailDomain } from 'disposable-email-domains-js'
