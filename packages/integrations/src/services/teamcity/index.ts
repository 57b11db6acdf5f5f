import { z } from 'zod'
import {
  id,
  ignore,
  integration,
  line,
  link,
  list,
  optional,
  postMessages,
  text,
  unsupported,
  url,
} from '../../writing.ts'
import { describeResult } from './result.ts'
import { isPersonal, property, triggeredBy } from './trigger.ts'

const build = z.object({
  buildFullName: text,
  buildNumber: id,
  buildResult: text,
  buildResultDelta: optional(text),
  buildStatus: optional(text),
  buildStatusUrl: optional(url),
  branchDisplayName: optional(text),
  triggeredBy: optional(text),
  teamcityProperties: optional(z.array(property)),
})
type Build = z.output<typeof build>

export const service = integration({
  title: 'TeamCity',
  client: 'Teamcity',
  category: 'Continuous integration',
  reportsMissingValues: true,
  events: ['running', 'success', 'failure'],
  payload: z.object({ build }),
  people: ({ build }) => (isPersonal(build) ? triggeredBy(build) : []),
  translate({ payload: { build }, people }) {
    const news = describeResult(build)
    if (news === undefined) return unsupported(build.buildResult)
    const branch = build.branchDisplayName
    const topic = branch ? `${build.buildFullName} (${branch})` : build.buildFullName
    const headline = `${line(build.buildNumber)} of ${line(build.buildFullName)} ${news}${formatLinks(build)}`
    if (!isPersonal(build))
      return postMessages({ event: build.buildResult, topic, content: `Build ${headline}` })
    // A personal build is sent only to the person who started it.
    const person = triggeredBy(build).find((name) => people.has(name))
    if (person === undefined) return ignore()
    return postMessages({
      event: build.buildResult,
      person,
      topic,
      content: `Your personal build ${headline}`,
    })
  },
})

function formatLinks({ buildStatusUrl }: Build): string {
  if (buildStatusUrl === undefined) return ''
  const tab = (name: string): string => {
    const page = URL.parse(buildStatusUrl)
    page?.searchParams.set('tab', name)
    return page?.href ?? buildStatusUrl
  }
  return ` See ${list([link('changes', tab('buildChangesDiv')), link('build log', tab('buildLog'))])}.`
}
