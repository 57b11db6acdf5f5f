import { z } from 'zod'
import { branches } from '../../git/options.ts'
import { pushMessage } from '../../git/push.ts'
import { branchTopic, repositoryTopic } from '../../git/topics.ts'
import { MissingFieldError } from '../../kernel/payload.ts'
import { ignore, integration, line, link, optional, postMessages, text, url } from '../../writing.ts'

const commit = z.object({
  raw_node: text,
  author: optional(text),
  message: optional(text),
  /** The branch of the commit. Only the last commit of a push always has it. */
  branch: optional(text),
})

const pushEvent = z.object({
  user: optional(text),
  canon_url: url,
  repository: z.object({ name: text, absolute_url: z.string().regex(/^\/\S*$/) }),
  commits: z.array(commit),
})

/** The format of Bitbucket's POST service, which old Bitbucket servers still use. */
export const service = integration({
  title: 'Bitbucket (POST service)',
  client: 'Bitbucket',
  category: 'Version control',
  authentication: 'basic',
  body: { kind: 'field', field: 'payload' },
  options: { branches },
  escapesTwice: true,
  payload: pushEvent,
  translate({ payload: { user: actor = 'Someone', canon_url, repository, commits }, options }) {
    const home = canon_url.replace(/(?<!\/)\/+$/, '') + repository.absolute_url
    const last = commits.at(-1)
    if (last === undefined)
      return postMessages({
        topic: repositoryTopic(repository.name),
        content: `${line(actor)} ${link('force pushed', home)}.`,
      })
    const { branch } = last
    if (branch === undefined) throw new MissingFieldError(`commits[${commits.length - 1}].branch`)
    if (!options.branches.has(branch)) return ignore()
    return postMessages({
      topic: branchTopic(repository.name, branch),
      content: pushMessage({
        actor,
        branch,
        commits: commits.map(({ raw_node, author, message }) => ({
          hash: raw_node,
          url: `${home.replace(/(?<!\/)\/*$/, '/')}commits/${raw_node}`,
          message,
          author,
        })),
      }),
    })
  },
})
