import { z } from 'zod'
import {
  bold,
  code,
  count,
  details,
  icons,
  line,
  lines,
  link,
  list,
  number,
  type Outcome,
  optional,
  postMessages,
  text,
  timestamp,
  url,
  when,
} from '../../writing.ts'

const names = z.array(text).min(1)

/** Users write the template of this payload, so any value may be missing or misspelled. */
const schema = z.object({
  issueUrl: url,
  title: text,
  priority: text,
  state: text,
  totalIncidents: number,
  createdAt: timestamp,
  updatedAt: timestamp,
  alertPolicyNames: optional(names),
  alertConditionNames: optional(names),
  owner: optional(text),
})
type Issue = z.output<typeof schema>

export const isIssue = (payload: object): boolean => Object.keys(schema.shape).some((key) => key in payload)

export function translateIssue(payload: unknown): Outcome {
  const result = schema.safeParse(payload)
  if (result.success)
    return postMessages({ event: 'issue', topic: result.data.title, content: describe(result.data) })
  const lacking = new Set(result.error.issues.map(({ path }) => code(String(path[0]))))
  return postMessages({
    event: 'issue',
    topic: 'New Relic incident alerts',
    content: `${icons.warning} New Relic told of an issue, but its webhook's template gives no usable ${list([...lacking])}.`,
  })
}

function describe(issue: Issue): string {
  const { title, issueUrl, priority, state, updatedAt, owner, totalIncidents } = issue
  return lines(
    `${chooseIcon(issue)} ${bold(link(title, issueUrl))}`,
    details({
      Priority: line(priority),
      State: line(state),
      Updated: when(updatedAt),
      Owner: owner && owner !== 'N/A' ? line(owner) : undefined,
      Policies: joinNames(issue.alertPolicyNames),
      Conditions: joinNames(issue.alertConditionNames),
      Incidents: `${count(totalIncidents, 'incident')} since ${when(issue.createdAt)}`,
    }),
  )
}

function chooseIcon({ state, priority }: Issue): string {
  if (state.toUpperCase() === 'CLOSED') return icons.ok
  return priority.toUpperCase() === 'CRITICAL' ? icons.alert : icons.warning
}

const joinNames = (names: readonly string[] | undefined): string | undefined => names?.map(line).join(', ')
