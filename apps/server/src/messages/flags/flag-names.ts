import { ApiError, type EditableFlag, editableFlags, messageFlags } from '@oxbow/contract'

/** Flags that earlier versions of the protocol had. They are valid names, but cannot be changed. */
const obsoleteFlags = ['summarize_in_home', 'summarize_in_stream', 'force_expand', 'force_collapse']
const knownFlags: readonly string[] = [...messageFlags, ...obsoleteFlags]

export function checkFlag(flag: string): EditableFlag {
  const found = editableFlags.find((editable) => editable === flag)
  if (found) return found
  throw new ApiError(knownFlags.includes(flag) ? 'FLAG_NOT_EDITABLE' : 'INVALID_FLAG', { flag })
}
