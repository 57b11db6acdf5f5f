import { z } from 'zod'
import { code, line, link, type Outcome, postMessages, quote, read, text, url } from '../../writing.ts'

const form = z.object({ head: text, app: text, user: text, url, git_log: text })

/** Translates a delivery of Heroku's deploy hooks, the predecessor of its webhooks. */
export function translateDeploy(payload: unknown): Outcome {
  const { head, app, user, url, git_log } = read(form, payload)
  const log = git_log.replace(/^[ \t]+/gm, '')
  return postMessages({
    event: 'deploy',
    topic: app,
    content: `${line(user)} deployed version ${code(head)} of ${link(app, url)}:\n${quote(log)}`,
  })
}
