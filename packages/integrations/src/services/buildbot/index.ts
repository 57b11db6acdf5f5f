import { z } from 'zod'
import {
  anything,
  bold,
  id,
  integration,
  link,
  optional,
  postMessages,
  read,
  text,
  unsupported,
  url,
} from '../../writing.ts'

/** The names of Buildbot's result numbers, which begin at 0. */
const results = ['success', 'warnings', 'failure', 'skipped', 'exception', 'retry', 'cancelled'] as const

const build = z.object({
  buildid: id,
  buildername: text,
  url: optional(url),
  project: optional(text),
})
const finishedBuild = build.extend({
  results: z
    .int()
    .min(0)
    .max(results.length - 1),
})

export const service = integration({
  title: 'Buildbot',
  client: 'Buildbot',
  category: 'Continuous integration',
  events: ['new', 'finished'],
  payload: anything.extend({ event: text }),
  translate({ payload }) {
    const { event } = payload
    if (event === 'new') return translateBuild(event, read(build, payload), 'started')
    if (event !== 'finished') return unsupported(event)
    const endedBuild = read(finishedBuild, payload)
    return translateBuild(event, endedBuild, `finished (result: ${results[endedBuild.results]})`)
  },
})

function translateBuild(
  event: string,
  { buildid, buildername, url, project }: z.output<typeof build>,
  news: string,
) {
  return postMessages({
    event,
    topic: project ?? 'general',
    content: `Build ${link(`#${buildid}`, url)} of ${bold(buildername)} ${news}.`,
  })
}
