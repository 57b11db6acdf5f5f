import hooks, { type AsyncHook } from 'node:async_hooks'

// `node --import` loads this file before node:test, which otherwise tracks every promise of the
// process to attribute unhandled errors to a test. That takes a tenth of the tests' processor time.
// Instead, a shard fails the whole file and prints the error. Only tests inside `describe` would
// need the hooks, and test files of a shard cannot import it.
const noHook: AsyncHook = { enable: () => noHook, disable: () => noHook }
hooks.createHook = () => noHook
