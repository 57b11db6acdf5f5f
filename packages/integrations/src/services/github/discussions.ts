import { z } from 'zod'
import { commentMessage, withQuote } from '../../git/comments.ts'
import { repositoryTopic } from '../../git/topics.ts'
import { id, line, link, optional, postMessages, read, replaceUnderscores, text, url } from '../../writing.ts'
import { repositoryFields, type Translator } from './delivery.ts'

const discussion = z.object({
  html_url: url,
  number: id,
  title: text,
  body: optional(text),
  category: optional(z.object({ name: text })),
})
type Discussion = z.output<typeof discussion>

const discussionEvent = z.object({
  ...repositoryFields,
  action: text,
  discussion,
  answer: optional(z.object({ html_url: url, body: optional(text) })),
})

export const discussionChanged: Translator = ({ payload, hasTopic }) => {
  const { action, answer, discussion, repository, sender } = read(discussionEvent, payload)
  const topic = discussionTopic(repository.name, discussion)
  const actor = line(sender.login)
  const linked = linkDiscussion(discussion, hasTopic)
  if (action === 'answered' && answer)
    return postMessages({
      topic,
      content: withQuote(`${actor} chose an ${link('answer', answer.html_url)} to ${linked}`, answer.body),
    })
  const category = discussion.category && line(discussion.category.name)
  if (action === 'category_changed' && category)
    return postMessages({ topic, content: `${actor} moved ${linked} to ${category}.` })
  if (action === 'unanswered')
    return postMessages({ topic, content: `${actor} unmarked the answer to ${linked}.` })
  const isNew = action === 'created'
  const headline = `${actor} ${line(replaceUnderscores(action))} ${linked}${isNew && category ? ` in ${category}` : ''}`
  return postMessages({
    topic,
    content: withQuote(headline, isNew || action === 'edited' ? discussion.body : undefined),
  })
}

const discussionCommentEvent = z.object({
  ...repositoryFields,
  action: text,
  discussion,
  comment: z.object({ html_url: url, body: optional(text) }),
})

export const discussionComment: Translator = ({ payload, hasTopic }) => {
  const { action, comment, discussion, repository, sender } = read(discussionCommentEvent, payload)
  return postMessages({
    topic: discussionTopic(repository.name, discussion),
    content: commentMessage({
      actor: sender.login,
      action: action === 'created' ? 'commented' : replaceUnderscores(action),
      url: comment.html_url,
      target: linkDiscussion(discussion, hasTopic),
      body: comment.body,
    }),
  })
}

const discussionTopic = (repository: string, { number, title }: Discussion): string =>
  repositoryTopic(`${repository} discussion #${number}: ${title}`)

const linkDiscussion = ({ html_url, number, title }: Discussion, showsTitle: boolean): string =>
  link(showsTitle ? `discussion #${number}: ${title}` : `discussion #${number}`, html_url)
