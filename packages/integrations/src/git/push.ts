import { bullets } from '../markdown/block.ts'
import { line, link } from '../markdown/text.ts'
import { count, sentence } from '../markdown/words.ts'
import { creditAuthors } from './authors.ts'
import { shortHash } from './refs.ts'

export interface Push {
  readonly actor: string
  readonly branch: string
  readonly compareUrl?: string | undefined
  readonly commits: readonly Commit[]
  /** The total number of commits, if the sender lists only the last of them. */
  readonly total?: number | undefined
  /** Whether the sender omitted an unknown number of commits. */
  readonly isTruncated?: boolean | undefined
}

export interface Commit {
  readonly hash: string
  readonly url?: string | undefined
  /** The commit message, which Git allows to be empty. */
  readonly message?: string | undefined
  readonly author?: string | undefined
}

const maxCommits = 20

export function pushMessage({ actor, branch, compareUrl, commits, total = 0, isTruncated }: Push): string {
  const pushed = `${line(actor)} ${link('pushed', compareUrl)}`
  if (commits.length === 0) return sentence(`${pushed} to branch ${line(branch)}`)
  const authors = commits.flatMap(({ author }) => (author === undefined ? [] : [author]))
  const pushedCommits = Math.max(total, commits.length)
  const headline = [
    sentence(
      `${pushed} ${isTruncated ? 'more than ' : ''}${count(pushedCommits, 'commit')} to branch ${line(branch)}`,
    ),
    creditAuthors(actor, authors),
  ]
  const omittedText = describeOmitted(pushedCommits - Math.min(commits.length, maxCommits), isTruncated)
  return [
    headline.filter(Boolean).join(' '),
    bullets(commits.slice(0, maxCommits).map(commitLine)),
    ...(omittedText === undefined ? [] : [omittedText]),
  ].join('\n\n')
}

function commitLine({ hash, url, message = '' }: Commit): string {
  const subject = line(message.trim().split('\n', 1)[0] ?? '')
  const commitLink = link(shortHash(hash), url)
  return subject === '' ? commitLink : `${subject} (${commitLink})`
}

function describeOmitted(commits: number, isTruncated = false): string | undefined {
  if (isTruncated) return '[and more commits]'
  return commits > 0 ? `[and ${count(commits, 'more commit')}]` : undefined
}
