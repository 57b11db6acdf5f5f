import { z } from 'zod'
import { code, details, integration, line, lines, link, optional, postMessages, text } from '../../writing.ts'

/** Accepts a list or a comma-separated text. */
const tagList = optional(
  z
    .union([z.array(text), text.transform((joined) => joined.split(','))])
    .transform((tags) => tags.map((tag) => tag.trim()).filter(Boolean)),
)

const alert = z.object({
  alertId: text,
  message: optional(text),
  note: optional(text),
  recipient: optional(text),
  team: optional(text),
  owner: optional(text),
  tags: tagList,
  addedTags: tagList,
  removedTags: tagList,
})

export const service = integration({
  title: 'OpsGenie',
  client: 'OpsGenie',
  category: 'Monitoring',
  events: [
    'Create',
    'Acknowledge',
    'UnAcknowledge',
    'Close',
    'Delete',
    'Escalate',
    'Snooze',
    'SnoozeEnded',
    'AddNote',
    'AddRecipient',
    'AddResponder',
    'AddTags',
    'RemoveTags',
    'AddTeam',
    'AssignOwnership',
    'TakeOwnership',
    'UpdatePriority',
    'UpdateDescription',
    'UpdateMessage',
    'ExecuteCustomAction',
  ],
  options: { eu_region: z.enum(['true', 'false']).default('false') },
  payload: z.object({
    action: text,
    integrationName: text,
    escalationName: optional(text),
    alert,
  }),
  translate({ payload: { action, integrationName, escalationName, alert }, options: { eu_region } }) {
    const host = eu_region === 'true' ? 'app.eu.opsgenie.com' : 'app.opsgenie.com'
    const page = `https://${host}/alert/V2#/show/${encodeURIComponent(alert.alertId)}`
    return postMessages({
      event: action,
      topic: integrationName,
      content: lines(
        `${link('Opsgenie alert', page)}:`,
        details({
          Type: line(action),
          Note: alert.note && line(alert.note),
          Recipient: alert.recipient && line(alert.recipient),
          'Tags added': formatTags(alert.addedTags),
          Team: alert.team && line(alert.team),
          Owner: alert.owner && line(alert.owner),
          Escalation: escalationName && line(escalationName),
          'Tags removed': formatTags(alert.removedTags),
          Message: alert.message && line(alert.message),
          Tags: formatTags(alert.tags),
        }),
      ),
    })
  },
})

const formatTags = (tags: readonly string[] | undefined): string | undefined =>
  tags?.map(code).join(', ') || undefined
