import type { api } from '@oxbow/contract'
import type { StateSlice } from '../events/state-slice.ts'
import type { Routes } from '../platform/http/bind.ts'
import { deleteQueue } from './delete-queue.ts'
import { pollEvents } from './poll.ts'
import { makeRegister } from './register.ts'

export function eventRoutes(slices: readonly StateSlice[]): Routes<typeof api.events> {
  return { register: makeRegister(slices), poll: pollEvents, deleteQueue }
}
