import { quote } from '../markdown/block.ts'
import { line, link } from '../markdown/text.ts'
import { shortHash } from './refs.ts'

export interface Comment {
  readonly actor: string
  /** `commented`; a comment that was changed in another way gets `edited`, `deleted`. */
  readonly action?: string
  readonly url?: string | undefined
  /** The commented issue, pull request or commit, as Markdown. */
  readonly target: string
  readonly words?: string | undefined
}

export function commentMessage({ actor, action = 'commented', url, target: on, words }: Comment): string {
  const did = action === 'commented' ? link('commented', url) : `${line(action)} a ${link('comment', url)}`
  return withQuote(`${line(actor)} ${did} on ${on}`, words)
}

export interface CommitComment extends Omit<Comment, 'target'> {
  readonly commit: { readonly hash: string; readonly url?: string | undefined }
}

export const commitCommentMessage = ({ commit, ...comment }: CommitComment): string =>
  commentMessage({ ...comment, target: link(shortHash(commit.hash), commit.url) })

/** Returns a line, followed by the quoted text if there is one. */
export function withQuote(headline: string, words: string | undefined): string {
  return words === undefined || words.trim() === '' ? `${headline}.` : `${headline}:\n\n${quote(words)}`
}
