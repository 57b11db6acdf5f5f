import { maxTopicLength, PostPolicy } from '@oxbow/contract/plain'
import type { Signal } from '@preact/signals'
import { askPermission } from '../client/permissions.ts'
import { isAdministrator } from '../client/store.ts'
import { type KnownStream, knownStreams, nameOrder, streamsById } from '../client/streams/streams.ts'
import { t } from '../text/t.ts'
import { Field } from '../ui/Field.tsx'

export interface DestinationFieldsProps {
  stream: KnownStream | undefined
  stream_id: Signal<number | undefined>
  topic: Signal<string>
}

/** The fields for the stream and the topic that a service posts to. */
export function DestinationFields({ stream, stream_id, topic }: DestinationFieldsProps) {
  return (
    <>
      <Field label={t('webhook.to')} problem={stream && findProblem(stream)}>
        <select
          onChange={({ currentTarget }) => {
            stream_id.value = Number(currentTarget.value) || undefined
          }}
        >
          <option value="">{t('webhook.to_owner')}</option>
          {listPostableStreams().map(({ stream_id: id, name }) => (
            <option key={id} value={id} selected={id === stream_id.value}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      {stream && (
        <Field label={t('composer.topic')} hint={t('webhook.topic_hint')} isOptional>
          <input
            type="text"
            dir="auto"
            autocomplete="off"
            maxLength={maxTopicLength}
            value={topic.value}
            onInput={({ currentTarget }) => {
              topic.value = currentTarget.value
            }}
          />
        </Field>
      )}
    </>
  )
}

/** A bot posts where its owner may post. */
function listPostableStreams(): KnownStream[] {
  return [...knownStreams.value.values()]
    .filter(
      ({ stream_id, invite_only, stream_post_policy }) =>
        (!invite_only || streamsById.value.has(stream_id)) &&
        (stream_post_policy !== PostPolicy.administrators || isAdministrator.value),
    )
    .sort((one, other) => nameOrder.compare(one.name, other.name))
}

function findProblem({ stream_id, stream_post_policy }: KnownStream): string | undefined {
  if (stream_post_policy === PostPolicy.everyone) return undefined
  const answer = askPermission('post', { stream_id }).value
  return answer?.allowed === false ? answer.reason : undefined
}
