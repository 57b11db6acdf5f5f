import type { Bot } from '@oxbow/contract'
import { useSignal } from '@preact/signals'
import { knownStreams } from '../client/streams/streams.ts'
import { useLoaded } from '../client/use-loaded.ts'
import { Group } from '../frame/Group.tsx'
import { t } from '../text/t.ts'
import { Field } from '../ui/Field.tsx'
import { RowsFailed, RowsLoading } from '../ui/Loading.tsx'
import { DestinationFields } from './DestinationFields.tsx'
import { EventFields } from './EventFields.tsx'
import { ShownUrl } from './ShownUrl.tsx'
import { TestDelivery } from './TestDelivery.tsx'
import { WebhookSecret } from './WebhookSecret.tsx'
import { type Destination, nameStreamInUrl } from './webhook-url.ts'
import { type Integration, listIntegrations } from './webhooks.ts'

/** The page that builds the URL which a service calls to post through a bot. */
export function WebhookUrl({ bot }: { bot: Bot }) {
  const { value: integrations, problem, reload } = useLoaded(listIntegrations)
  const name = useSignal('')
  const integration = integrations?.find((other) => other.name === name.value)
  return (
    <>
      <Group title={t('webhook.setup')} hint={t('webhook.service_hint')}>
        {problem !== undefined && <RowsFailed problem={problem} onRetry={() => void reload()} />}
        {!integrations && problem === undefined && <RowsLoading count={1} />}
        {integrations && (
          <Field label={t('webhook.service')}>
            <select
              onChange={({ currentTarget }) => {
                name.value = currentTarget.value
              }}
            >
              {!integration && <option value="">{t('webhook.service_choose')}</option>}
              {integrations.map(({ name, title }) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </select>
          </Field>
        )}
        <p class="WebhookPages-links">
          {integration && (
            <GuideLink name={integration.name} text={t('webhook.guide', { service: integration.title })} />
          )}
          <GuideLink text={t('bots.integrations')} />
        </p>
      </Group>
      {integration && <Setup bot={bot} integration={integration} />}
      <WebhookSecret bot={bot} />
    </>
  )
}

/** Opens a guide of the server in another tab, so that the choices on the page are kept. */
const GuideLink = ({ name, text }: { name?: string; text: string }) => (
  <a href={name === undefined ? '/integrations' : `/integrations/${name}`} target="_blank" rel="noopener">
    {text}
  </a>
)

function Setup({ bot, integration }: { bot: Bot; integration: Integration }) {
  const stream_id = useSignal<number | undefined>(undefined)
  const topic = useSignal('')
  const excluded = useSignal<{ of: string; events: ReadonlySet<string> }>({ of: '', events: new Set() })
  const { name, event_names: names } = integration
  // Events that were excluded for another service do not count.
  const left = excluded.value.of === name ? excluded.value.events : new Set<string>()
  const chosen = names.filter((event) => !left.has(event))
  const stream = stream_id.value === undefined ? undefined : knownStreams.value.get(stream_id.value)
  const destination: Destination = {
    stream: stream && nameStreamInUrl(stream, [...knownStreams.value.values()]),
    topic: (stream && topic.value.trim()) || undefined,
    only_events: chosen.length === names.length ? undefined : chosen,
  }
  const isComplete = names.length === 0 || chosen.length > 0
  return (
    <>
      <Group title={t('webhook.messages')}>
        <DestinationFields stream={stream} stream_id={stream_id} topic={topic} />
        {names.length > 0 && (
          <EventFields
            names={names}
            excluded={left}
            onChange={(events) => {
              excluded.value = { of: name, events }
            }}
          />
        )}
      </Group>
      {isComplete && <ShownUrl bot={bot} integration={integration} destination={destination} />}
      <TestDelivery bot={bot} integration={integration} destination={destination} />
    </>
  )
}
