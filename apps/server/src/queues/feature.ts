import type { api } from '@oxbow/contract'
import type { StateSlice } from '../events/state-slice.ts'
import type { Feature } from '../feature.ts'
import type { Routes } from '../platform/http/bind.ts'
import { deleteQueue } from './delete-queue.ts'
import { pollEvents } from './poll.ts'
import { makeRegister } from './register.ts'

/** Registration, polls, event streams and deletion of queues. */
export const queuesFeature = (state: readonly StateSlice[]) =>
  ({ routes: { events: eventRoutes(state) } }) satisfies Feature

function eventRoutes(slices: readonly StateSlice[]): Routes<typeof api.events> {
  return { register: makeRegister(slices), poll: pollEvents, deleteQueue }
}
