import { code, line, link } from '../markdown/text.ts'
import { sentence } from '../markdown/words.ts'
import { shortHash } from './refs.ts'

interface BranchChange {
  /** The user's name, or a link to their page. */
  readonly actor: string
  readonly branch: string
  readonly url?: string | undefined
}

export const branchCreatedMessage = ({ actor, branch, url }: BranchChange): string =>
  sentence(`${line(actor)} created branch ${link(branch, url)}`)

export const branchRemovedMessage = ({ actor, branch, url }: BranchChange): string =>
  sentence(`${line(actor)} ${link('deleted', url)} branch ${line(branch)}`)

/** Says that a force push replaced the commits of a branch. */
export function forcePushMessage({ actor, branch, url, head }: BranchChange & { head?: string | undefined }) {
  const pushed = sentence(`${line(actor)} ${link('force pushed', url)} branch ${line(branch)}`)
  return head === undefined ? pushed : `${pushed} Head is now ${code(shortHash(head))}.`
}
