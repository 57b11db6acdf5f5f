import { z } from 'zod'
import { commentMessage, commitCommentMessage } from '../../git/comments.ts'
import { linkNumbered, type NumberedItem } from '../../git/numbered.ts'
import { numberedTopic, repositoryTopic } from '../../git/topics.ts'
import { id, optional, postMessages, read, text, url } from '../../writing.ts'
import { byUser, type GitLabDelivery, getProject, type Translator } from './delivery.ts'
import { mergeRequestTopic, showsTitle } from './merge-requests.ts'

const note = {
  ...byUser,
  object_attributes: z.object({ note: optional(text), url, action: optional(text) }),
}
type Note = z.output<z.ZodObject<typeof note>>

const describeNote = ({ user, object_attributes }: Note) => ({
  actor: user.name,
  action: object_attributes.action === 'update' ? 'edited' : 'commented',
  url: object_attributes.url,
  body: object_attributes.note,
})

const commitNote = z.object({ ...note, commit: z.object({ id: text, url: optional(url) }) })

export const noteOnCommit: Translator = ({ payload }) => {
  const event = read(commitNote, payload)
  const commit = { hash: event.commit.id, url: event.commit.url }
  return postMessages({
    topic: repositoryTopic(getProject(payload).name),
    content: commitCommentMessage({ ...describeNote(event), commit }),
  })
}

const numberedAndTitled = z.object({ iid: id, title: text })
const mergeRequestNote = z.object({ ...note, merge_request: numberedAndTitled })

export const noteOnMergeRequest: Translator = (delivery) => {
  const event = read(mergeRequestNote, delivery.payload)
  const { iid: number, title } = event.merge_request
  const item: NumberedItem = {
    type: 'MR',
    number,
    title,
    url: `${getProject(delivery.payload).home}/merge_requests/${number}`,
  }
  const target = linkNumbered(item, showsTitle(delivery))
  return postMessages({
    topic: mergeRequestTopic(delivery, item),
    content: commentMessage({ ...describeNote(event), target }),
  })
}

const issueNote = z.object({ ...note, issue: numberedAndTitled })

export const noteOnIssue: Translator = (delivery) => {
  const event = read(issueNote, delivery.payload)
  const { iid: number, title } = event.issue
  const url = `${getProject(delivery.payload).home}/issues/${number}`
  return translateNote(delivery, event, { type: 'Issue', number, title, url })
}

const snippetNote = z.object({ ...note, snippet: z.object({ id, title: text }) })

export const noteOnSnippet: Translator = (delivery) => {
  const event = read(snippetNote, delivery.payload)
  const { id: number, title } = event.snippet
  const url = `${getProject(delivery.payload).home}/snippets/${number}`
  return translateNote(delivery, event, { type: 'Snippet', number, title, url })
}

function translateNote({ payload, hasTopic }: GitLabDelivery, event: Note, item: NumberedItem) {
  return postMessages({
    topic: numberedTopic(getProject(payload).name, item),
    content: commentMessage({ ...describeNote(event), target: linkNumbered(item, hasTopic) }),
  })
}
