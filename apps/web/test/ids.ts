import type { DraftId, MessageId, StreamId, UserId } from '@oxbow/contract'

// Ids for tests that need no server.
export const userId = (id: number): UserId => id as UserId
export const streamId = (id: number): StreamId => id as StreamId
export const draftId = (id: number): DraftId => id as DraftId
export const messageId = (id: number): MessageId => id as MessageId
