import { quote } from '../markdown/block.ts'
import { line, link } from '../markdown/text.ts'
import { shortHash } from './refs.ts'

export interface Comment {
  readonly actor: string
  /** The verb: `commented` by default, or another one such as `edited` or `deleted`. */
  readonly action?: string
  readonly url?: string | undefined
  /** The issue, pull request or commit that was commented on, as Markdown. */
  readonly target: string
  readonly body?: string | undefined
}

export function commentMessage({ actor, action = 'commented', url, target: on, body }: Comment): string {
  const did = action === 'commented' ? link('commented', url) : `${line(action)} a ${link('comment', url)}`
  return withQuote(`${line(actor)} ${did} on ${on}`, body)
}

export interface CommitComment extends Omit<Comment, 'target'> {
  readonly commit: { readonly hash: string; readonly url?: string | undefined }
}

export const commitCommentMessage = ({ commit, ...comment }: CommitComment): string =>
  commentMessage({ ...comment, target: link(shortHash(commit.hash), commit.url) })

/** Returns the headline, followed by the quoted text if there is one. */
export function withQuote(headline: string, body: string | undefined): string {
  return body === undefined || body.trim() === '' ? `${headline}.` : `${headline}:\n\n${quote(body)}`
}
