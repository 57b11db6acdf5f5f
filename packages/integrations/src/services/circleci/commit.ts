import { z } from 'zod'
import { optional, text, url } from '../../writing.ts'

export interface Commit {
  revision?: string | undefined
  url?: string | undefined
  subject?: string | undefined
  branch?: string | undefined
  author?: string | undefined
}

const commit = optional(
  z.object({ subject: optional(text), author: optional(z.object({ name: optional(text) })) }),
)
const vcs = z.object({
  provider_name: optional(z.string()),
  target_repository_url: optional(url),
  revision: optional(text),
  branch: optional(text),
  commit,
})
const gitlab = z.object({
  web_url: optional(url),
  commit_sha: optional(text),
  commit_title: optional(text),
  commit_author_name: optional(text),
  branch: optional(text),
})
const pipeline = z.object({
  vcs: optional(vcs),
  trigger_parameters: optional(z.object({ gitlab: optional(gitlab) })),
})

/**
 * Reads the commit: from `trigger_parameters.gitlab` for GitLab projects, from `vcs` for GitHub and
 * Bitbucket.
 */
export function readCommit(value: unknown): Commit {
  const { vcs, trigger_parameters } = pipeline.parse(value)
  const fromGitlab = trigger_parameters?.gitlab
  if (fromGitlab?.commit_sha) {
    const { web_url, commit_sha, commit_title, commit_author_name, branch } = fromGitlab
    return {
      revision: commit_sha,
      url: web_url && `${web_url}/-/commit/${encodeURIComponent(commit_sha)}`,
      subject: commit_title,
      branch,
      author: commit_author_name,
    }
  }
  const { revision, target_repository_url: repository, provider_name, branch, commit } = vcs ?? {}
  const folder = provider_name === 'bitbucket' ? 'commits' : 'commit'
  return {
    revision,
    url: repository && revision && `${repository}/${folder}/${encodeURIComponent(revision)}`,
    subject: commit?.subject,
    branch,
    author: commit?.author?.name,
  }
}
