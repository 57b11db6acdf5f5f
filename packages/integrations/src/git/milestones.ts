import { line, link } from '../markdown/text.ts'

export interface MilestoneChange {
  readonly actor: string
  readonly action: 'milestoned' | 'demilestoned'
  /** The issue or pull request, as Markdown. */
  readonly linked: string
  readonly milestone?: { readonly title: string; readonly url?: string | undefined } | undefined
}

export function milestoneMessage({ actor, action, linked, milestone }: MilestoneChange): string {
  const which = milestone ? `milestone ${link(milestone.title, milestone.url)}` : 'a milestone'
  return action === 'milestoned'
    ? `${line(actor)} added ${linked} to ${which}.`
    : `${line(actor)} removed ${linked} from ${which}.`
}
