import { api } from '../api.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { describeEndpoint, describeFields } from '../kernel/describe.ts'
import { webhookFailure } from './shape.ts'

const failureId = 'The id of the refused delivery.'

describeFields(webhookFailure, {
  id: failureId,
  integration: 'The name of the integration that the delivery was sent to.',
  received_at: 'When the delivery arrived, in seconds since 1970-01-01 UTC.',
  code: 'The error code in the response to the service.',
  reason: 'The error message in the response to the service.',
  query: 'The query of the URL, without secrets.',
  headers: 'The headers that identify the delivery, without secrets.',
  body: 'The body of the request, without secrets. Empty if it was too large to be kept, or `include_bodies` is false.',
  body_bytes: 'The size of the body in bytes.',
  may_be_replayed:
    'Whether the caller may replay the delivery: it was stored completely, its signature was not wrong, and the caller owned the bot then and still owns it.',
})

describeEndpoint(
  api.webhooks.deliver,
  {
    integration: 'The name of an integration, such as `helloworld`.',
    api_key: "The bot's API key, unless the integration uses HTTP Basic.",
    stream:
      "The name of a stream, or its id if no stream has that name. If absent, the message is sent to the bot's owner as a private message.",
    topic: 'The topic of the message. If absent, the integration chooses it.',
    only_events:
      'A JSON list of names of events, with up to 10,000 characters in total. Other events post nothing. `*`, `?`, `[abc]` and `[!abc]` match parts of a name.',
    exclude_events:
      'A JSON list of names of events, written as in `only_events`. These events post nothing, even if `only_events` lists them.',
    webhook_secret: 'The secret that the service signs with, if the bot is not configured with one.',
  },
  {},
)
describeEndpoint(
  api.webhooks.listFailures,
  {
    bot_id: texts.botId,
    include_bodies: 'Whether the bodies of the requests are listed. All of them together may have 25 MiB.',
  },
  { webhook_failures: 'The refused deliveries, newest first.' },
)
describeEndpoint(
  api.webhooks.replayFailure,
  { bot_id: texts.botId, failure_id: failureId },
  {
    outcome: 'Whether the delivery was accepted or refused again.',
    message_ids: 'The ids of the messages that were sent. Empty if the event posts nothing.',
    code: 'The error code. Present only if the delivery was refused again.',
    reason: 'The error message. Present only if the delivery was refused again.',
  },
)

describeFields(api.webhooks.listIntegrations.response.integrations.element, {
  name: 'The name of the integration, as in the path of its webhook.',
  title: 'The display name of the service.',
  category: 'The category of the service, to be shown to users.',
  summary: 'What the integration does, in one sentence.',
  guide_html: 'How to set up the service, as HTML. The URL of the webhook is in `<span class="url">`.',
  auth: 'Where the service puts the API key of the bot: `url` for the URL, `basic` for HTTP Basic.',
  url: 'The URL of the webhook, with `API_KEY` and `STREAM` in place of the key and the stream.',
  event_names: 'The names of events that `only_events` and `exclude_events` filter by. Empty if it has none.',
})
describeEndpoint(api.webhooks.listIntegrations, {}, { integrations: 'The integrations, ordered by title.' })
