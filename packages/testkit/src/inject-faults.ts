import { faults } from '@oxbow/server'

// Loaded by `node --import` into a node's process, before the node's own program.
faults.dropHints = Number(process.env.FAULT_DROP_HINTS_PERCENT ?? 0) / 100
