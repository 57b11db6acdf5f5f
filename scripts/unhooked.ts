import hooks, { type AsyncHook } from 'node:async_hooks'

// node:test follows every promise of a process, to say which test an error belongs to that nobody caught. All code takes
// half as long again with that, so here it does not; such an error fails the file instead.
const nothing: AsyncHook = { enable: () => nothing, disable: () => nothing }
hooks.createHook = () => nothing

const fail = () => {
  process.exitCode = 1
}
process.on('uncaughtExceptionMonitor', fail)
process.on('unhandledRejection', fail)
