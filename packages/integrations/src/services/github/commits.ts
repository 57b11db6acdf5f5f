import { z } from 'zod'
import { commitCommentMessage } from '../../git/comments.ts'
import { shortHash } from '../../git/refs.ts'
import { branchTopic, repositoryTopic } from '../../git/topics.ts'
import {
  ignore,
  line,
  link,
  optional,
  postMessages,
  read,
  replaceUnderscores,
  text,
  url,
} from '../../writing.ts'
import { linkedRepositoryFields, repositoryFields, type Translator } from './delivery.ts'

const commitCommentEvent = z.object({
  ...repositoryFields,
  comment: z.object({ html_url: url, commit_id: text, body: optional(text) }),
})

export const commitComment: Translator = ({ payload }) => {
  const { comment, repository, sender } = read(commitCommentEvent, payload)
  const content = commitCommentMessage({
    actor: sender.login,
    url: comment.html_url,
    commit: { hash: comment.commit_id, url: comment.html_url.replace(/#.*/, '') },
    body: comment.body,
  })
  return postMessages({ topic: repositoryTopic(repository.name), content })
}

const statusEvent = z.object({
  repository: z.object({ name: text }),
  sha: text,
  state: text,
  context: optional(text),
  target_url: optional(url),
  commit: z.object({ html_url: url }),
})

export const commitStatus: Translator = ({ payload }) => {
  const { commit, context, repository, sha, state, target_url } = read(statusEvent, payload)
  const contextNote = context === undefined ? '' : ` (${line(context)})`
  return postMessages({
    topic: repositoryTopic(repository.name),
    content: `The status of commit ${link(shortHash(sha), commit.html_url)} is now ${link(state, target_url)}${contextNote}.`,
  })
}

const checkRunEvent = z.object({
  repository: linkedRepositoryFields.repository,
  check_run: z.object({
    name: text,
    html_url: url,
    status: text,
    conclusion: optional(text),
    head_sha: text,
  }),
})

/** Posts completed checks only, not queued or running ones. */
export const checkRun: Translator = ({ payload }) => {
  const { check_run, repository } = read(checkRunEvent, payload)
  const { name, html_url, status, conclusion, head_sha } = check_run
  if (status !== 'completed') return ignore()
  const commit = link(shortHash(head_sha), `${repository.html_url}/commit/${head_sha}`)
  const conclusionNote = conclusion === undefined ? '' : ` (${line(replaceUnderscores(conclusion))})`
  return postMessages({
    topic: branchTopic(repository.name, 'checks'),
    content: `Check ${link(name, html_url)} completed${conclusionNote} on commit ${commit}.`,
  })
}
