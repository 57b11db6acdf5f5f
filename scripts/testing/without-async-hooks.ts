import hooks, { type AsyncHook } from 'node:async_hooks'

// Loaded by `node --import` before node:test, which otherwise tracks every promise of the process
// to attribute unhandled errors to a test. That takes a tenth of the processor time of tests. A
// shard fails the whole file instead and prints the error. Only tests inside `describe` would need
// the hooks, and no test file uses it.
const noHook: AsyncHook = { enable: () => noHook, disable: () => noHook }
hooks.createHook = () => noHook
