import { assignmentMessage } from '../../git/assignments.ts'
import { choose } from '../../git/choose.ts'
import { milestoneMessage } from '../../git/milestones.ts'
import { linkNumbered, type NumberedItem } from '../../git/numbered.ts'
import { line, replaceUnderscores } from '../../writing.ts'

/** Returns the words between the actor and the issue or pull request. */
export function describeAction(action: string): string {
  const words = choose(action, {
    label_cleared: 'removed all labels of',
    label_updated: 'changed the labels of',
    review_request_removed: 'withdrew the request for a review of',
    review_requested: 'requested a review of',
    synchronized: 'updated',
  })
  return words ?? line(replaceUnderscores(action))
}

interface Action {
  readonly actor: string
  readonly action: string
  readonly item: NumberedItem
  readonly showsTitle: boolean
  readonly assignee?: string | undefined
  readonly milestone?: { readonly title: string } | undefined
}

/** Describes an action that involves another user or a milestone. Returns undefined for other actions. */
export function describeAssociation(event: Action): string | undefined {
  const { actor, action, item, showsTitle, assignee, milestone } = event
  const linked = linkNumbered(item, showsTitle)
  switch (action) {
    case 'assigned':
    case 'unassigned':
      // An unassignment lists the remaining assignees.
      return assignmentMessage({
        actor,
        action,
        linked,
        assignee: action === 'assigned' ? assignee : undefined,
      })
    case 'milestoned':
    case 'demilestoned':
      return milestoneMessage({ actor, action, linked, milestone })
  }
}
