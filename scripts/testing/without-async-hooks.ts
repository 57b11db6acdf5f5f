import hooks, { type AsyncHook } from 'node:async_hooks'

// Loaded by `node --import` before node:test, which otherwise follows every promise of the process to find out which test
// an unhandled error belongs to. That takes a tenth of the processor time of tests. A shard fails the file instead, and
// names the error. Tests inside `describe` would need it, which no test file uses.
const nothing: AsyncHook = { enable: () => nothing, disable: () => nothing }
hooks.createHook = () => nothing
