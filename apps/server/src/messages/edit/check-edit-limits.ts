import { ApiError, isAdministrator, maxEditBytes, maxEdits } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { Db } from '../../platform/database/database.ts'
import type { AccessedMessage } from '../access.ts'
import type { Edit } from './check-edit.ts'
import { countEdits } from './queries.ts'

/**
 * Throws if the message cannot have another edit. Administrators may always change its topic or
 * stream, so that nobody can prevent that by many edits.
 */
export async function refuseAboveEditLimits(
  db: Db,
  editor: Pick<Actor, 'role'>,
  message: AccessedMessage,
  { content }: Edit,
): Promise<void> {
  if (!message.edited_at || (content === undefined && isAdministrator(editor.role))) return
  const { count, bytes } = await countEdits(db, message)
  if (count >= maxEdits) throw new ApiError('EDITS_TOO_MANY', { limit: maxEdits })
  const added = content === undefined ? 0 : countTextBytes(message)
  if (bytes + added > maxEditBytes) throw new ApiError('EDITS_TOO_LARGE', { limit: maxEditBytes })
}

/** Returns how many bytes the current text will take once it is an earlier version. */
const countTextBytes = ({ content, rendered_content }: AccessedMessage): number =>
  Buffer.byteLength(content) + Buffer.byteLength(rendered_content)
