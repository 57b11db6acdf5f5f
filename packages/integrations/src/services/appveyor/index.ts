import { z } from 'zod'
import {
  bold,
  code,
  details,
  integration,
  line,
  lines,
  link,
  optional,
  postMessages,
  text,
  url,
} from '../../writing.ts'

const build = z.object({
  projectName: text,
  buildVersion: text,
  status: text,
  buildUrl: optional(url),
  commitId: optional(text),
  commitUrl: optional(url),
  commitAuthor: optional(text),
  commitMessage: optional(text),
  // The account's settings determine the format and the time zone.
  started: optional(text),
  finished: optional(text),
})
type Build = z.output<typeof build>

export const service = integration({
  title: 'AppVeyor',
  client: 'Appveyor',
  category: 'Continuous integration',
  events: ['build_success', 'build_failure'],
  payload: z.object({ eventName: optional(text), eventData: build }),
  translate: ({ payload: { eventName, eventData: build } }) =>
    postMessages({
      ...(eventName && { event: eventName }),
      topic: build.projectName,
      content: lines(
        `${link(`Build ${build.buildVersion}`, build.buildUrl)}: ${bold(build.status)}`,
        details({
          Commit: describeCommit(build),
          Started: build.started && line(build.started),
          Finished: build.finished && line(build.finished),
        }),
      ),
    }),
})

function describeCommit({ commitId, commitUrl, commitAuthor, commitMessage }: Build): string | undefined {
  if (commitId === undefined) return undefined
  const hash = commitId.slice(0, 7)
  const commitText = commitUrl ? link(hash, commitUrl) : code(hash)
  const [title] = commitMessage?.split('\n') ?? []
  return `${commitText}${commitAuthor ? ` by ${line(commitAuthor)}` : ''}${title ? `: ${line(title)}` : ''}`
}
