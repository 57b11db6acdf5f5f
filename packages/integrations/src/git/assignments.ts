import { line } from '../markdown/text.ts'

export interface Assignment {
  readonly actor: string
  readonly action: 'assigned' | 'unassigned'
  /** The assigned issue or pull request, as Markdown. */
  readonly linked: string
  readonly assignee?: string | undefined
}

export function assignmentMessage({ actor, action, linked, assignee }: Assignment): string {
  if (assignee === undefined) return `${line(actor)} ${action} ${linked}.`
  return action === 'assigned'
    ? `${line(actor)} assigned ${linked} to ${line(assignee)}.`
    : `${line(actor)} unassigned ${line(assignee)} from ${linked}.`
}
