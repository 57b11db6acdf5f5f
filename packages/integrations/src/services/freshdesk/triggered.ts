export type Triggered =
  | { event: 'ticket_created' }
  | { event: 'note_added'; kind: string }
  | { event: 'ticket_changed'; changes: Change[] }

export interface Change {
  field: string
  from: string
  to: string
}

const statuses: Record<string, string> = {
  2: 'Open',
  3: 'Pending',
  4: 'Resolved',
  5: 'Closed',
  6: 'Waiting on Customer',
}
const priorities: Record<string, string> = { 1: 'Low', 2: 'Medium', 3: 'High', 4: 'Urgent' }

/**
 * Parses a format that looks like JSON without quotes: `{ticket_action:created}`,
 * `{note_type:public}`, `{status:{from:4,to:6}}`.
 */
export function readTriggered(text: string): Triggered | undefined {
  const bare = text.replace(/["'\s]/g, '')
  if (bare.includes('ticket_action:created')) return { event: 'ticket_created' }
  const note = /note_type:(public|private)/.exec(bare)?.[1]
  if (note) return { event: 'note_added', kind: note }
  const changes = [...bare.matchAll(/(status|priority):\{from:(\d{1,9}),to:(\d{1,9})\}/g)].map(readChange)
  return changes.length > 0 ? { event: 'ticket_changed', changes } : undefined
}

/** Reads a changed field. A custom status of the helpdesk has no known name and stays a number. */
function readChange([, field, from = '', to = '']: RegExpExecArray): Change {
  const names = field === 'status' ? statuses : priorities
  const nameOf = (number: string) => names[number] ?? number
  return { field: field === 'status' ? 'Status' : 'Priority', from: nameOf(from), to: nameOf(to) }
}
