import type { Attachment, AttachmentEvent } from '@oxbow/contract'

/** The response of `client.uploads.list()`. */
export interface AttachmentList {
  readonly attachments: readonly Attachment[]
  readonly upload_space_used: number
}

/**
 * Returns the list of uploads after an event. The list is not part of the registered state: fetch
 * it with `client.uploads.list()` after registering, and apply all later events. Applying an event
 * twice changes nothing more.
 */
export function applyAttachment<List extends AttachmentList>(list: List, event: AttachmentEvent): List {
  const { attachment, upload_space_used } = event
  const others = list.attachments.filter(({ id }) => id !== attachment.id)
  const attachments = event.op === 'remove' ? others : insertById(others, event.attachment)
  return { ...list, attachments, upload_space_used }
}

function insertById(list: readonly Attachment[], added: Attachment): Attachment[] {
  const index = list.findLastIndex(({ id }) => id < added.id) + 1
  return list.toSpliced(index, 0, added)
}
