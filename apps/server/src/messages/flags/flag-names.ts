import { ApiError, type EditableFlag, editableFlags, messageFlags } from '@oxbow/contract'

/** Clients knew these once; nothing sets them. */
const obsolete = ['summarize_in_home', 'summarize_in_stream', 'force_expand', 'force_collapse']
const known: readonly string[] = [...messageFlags, ...obsolete]

export function checkFlag(flag: string): EditableFlag {
  const found = editableFlags.find((each) => each === flag)
  if (found) return found
  throw new ApiError(known.includes(flag) ? 'FLAG_NOT_EDITABLE' : 'INVALID_FLAG', { flag })
}
