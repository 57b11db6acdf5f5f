import type { Integration } from '@oxbow/integrations'
import type { OwnerNotice } from '../messages/send/notify-bot-owner.ts'

/** Notices to a bot's owner about deliveries that produce no message. */

export const buildNotJsonNotice =
  ({ client }: Integration): OwnerNotice =>
  ({ email }) =>
    `Your bot \`${email}\` got something from ${client} that is not JSON. Please look at the settings of the webhook there: it has to send JSON.`

export const buildMissingHeaderNotice =
  (name: string, { title }: Integration, header: string): OwnerNotice =>
  ({ full_name }) =>
    [
      `Your bot ${full_name} got something at \`/api/v1/external/${name}\` without the header \`${header}\`, which says what happened.`,
      `Most likely another service than ${title} was given this URL, or a version of ${title} that is too old.`,
      `[What to set up there](/integrations/${name}); if that does not help, please ask the administrators of your organization.`,
    ].join(' ')

export const buildIncompletePayloadNotice =
  ({ title }: Integration, missingField: string): OwnerNotice =>
  ({ full_name }) =>
    `Your bot ${full_name} got something from ${title} that lacks \`${missingField.replaceAll('`', '')}\`. Please look at the template of the message there.`
