import { z } from 'zod'
import {
  bold,
  bullets,
  code,
  id,
  line,
  link,
  list,
  type Outcome,
  optional,
  postMessages,
  read,
  text,
  url,
} from '../../writing.ts'
import { describeStatus } from './outcome.ts'

const commit = z.object({
  commit: text,
  commit_url: optional(url),
  author_name: optional(text),
  author_login: optional(text),
  committer_name: optional(text),
  committer_login: optional(text),
})
type Commit = z.output<typeof commit>

const build = z.object({
  reponame: text,
  username: optional(text),
  branch: optional(text),
  build_num: optional(id),
  build_url: optional(url),
  outcome: optional(text),
  status: optional(text),
  workflows: optional(z.object({ workflow_name: optional(text), job_name: optional(text) })),
  all_commit_details: optional(z.array(commit)),
  pull_requests: optional(z.array(z.object({ url }))),
  vcs_url: optional(url),
  user: optional(z.object({ vcs_type: optional(text) })),
})
type Build = z.output<typeof build>
/** Refuses a payload that has neither outcome nor status. */
const requiredStatus = z.object({ status: text })

export function translateBuild(payload: unknown): Outcome {
  const { payload: built } = read(z.object({ payload: build }), payload)
  // A build that is still running has no outcome.
  const status =
    built.outcome ?? built.status ?? read(z.object({ payload: requiredStatus }), payload).payload.status
  return postMessages({
    event: 'build',
    topic: built.reponame,
    content: [`${describeBuild(built)} ${describeStatus(status)}`, details(built)].filter(Boolean).join('\n'),
  })
}

function describeBuild({ build_num, build_url, branch, workflows }: Build): string {
  const branchPhrase = branch ? ` on branch ${code(branch)}` : ''
  if (build_num === undefined) return `A build${branchPhrase}`
  const job = [workflows?.workflow_name, workflows?.job_name].filter((name) => name !== undefined)
  const jobPhrase = job.length === 0 ? '' : ` of ${code(job.join(' / '))}`
  return `Build ${link(`#${build_num}`, build_url)}${jobPhrase}${branchPhrase}`
}

function details({
  build_num,
  all_commit_details: commits = [],
  pull_requests = [],
  vcs_url,
  user,
}: Build): string {
  if (build_num === undefined) return ''
  const [pull] = pull_requests
  return bullets(
    [
      commits.length > 0 && showCommits(commits, user?.vcs_type === 'github' ? vcs_url : undefined),
      pull && `${bold('Pull request')}: ${pull.url}`,
      showPeople(
        'Author',
        commits.map((commit) => [commit.author_name, commit.author_login]),
      ),
      showPeople(
        'Committer',
        commits.map((commit) => [commit.committer_name, commit.committer_login]),
      ),
    ].filter((entry) => typeof entry === 'string' && entry !== '') as string[],
  )
}

function showCommits(commits: Commit[], repositoryUrl: string | undefined): string {
  const [first, last] = [commits[0], commits.at(-1)]
  if (!first || !last || first === last) return `${bold('Commit')}: ${first ? showCommit(first) : ''}`
  const [from, to] = [first.commit.slice(0, 10), last.commit.slice(0, 10)]
  const range = repositoryUrl
    ? link(
        `${from} ... ${to}`,
        `${repositoryUrl}/compare/${encodeURIComponent(from)}...${encodeURIComponent(to)}`,
      )
    : `${showCommit(first)} ... ${showCommit(last)}`
  return `${bold('Commits')} (${commits.length}): ${range}`
}

const showCommit = ({ commit, commit_url }: Commit): string => link(commit.slice(0, 10), commit_url)

function showPeople(role: string, people: [string | undefined, string | undefined][]): string {
  const names = people
    .map(([name, login]) =>
      name && login && name !== login ? `${line(name)} (${line(login)})` : line(name ?? login ?? ''),
    )
    .filter((name) => name !== '')
  const uniqueNames = [...new Set(names)].sort()
  if (uniqueNames.length === 0) return ''
  return `${bold(uniqueNames.length === 1 ? role : `${role}s`)}: ${list(uniqueNames)}`
}
