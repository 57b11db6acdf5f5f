import { faults } from '@oxbow/server'

// `node --import` loads this module into a node's process, before the node's program.
faults.dropHints = Number(process.env.FAULT_DROP_HINTS_PERCENT ?? 0) / 100
