import './NotificationsPage.css'
import type { Subscription } from '@oxbow/contract'
import { useSignal } from '@preact/signals'
import { kindOf, streamsById } from '../client/streams/streams.ts'
import { Group } from '../frame/Group.tsx'
import { changeStreamSetting } from '../streams/change-stream-setting.ts'
import { findBest } from '../text/match-name.ts'
import { t } from '../text/t.ts'
import { IconButton } from '../ui/Button.tsx'
import { Combobox } from '../ui/Combobox.tsx'
import { Field } from '../ui/Field.tsx'
import { StreamShape } from '../ui/StreamShape.tsx'
import { differingStreams, notificationsOf, usualNotifications } from './differing-streams.ts'
import { TableBox } from './TableBox.tsx'

const maxShown = 8

/** Streams whose notification settings differ from the general ones, and a field to add one. */
export function DifferingStreams() {
  const added = useSignal<readonly number[]>([])
  const query = useSignal('')
  const differing = differingStreams.value
  const ids = new Set(differing.map(({ stream_id }) => stream_id as number))
  const extra = added.value
    .filter((id) => !ids.has(id))
    .flatMap((stream_id) => streamsById.value.get(stream_id) ?? [])
  const shown = [...differing, ...extra]
  const others = [...streamsById.value.values()].filter((stream) => !shown.includes(stream))
  const options = findBest(others, query.value, maxShown, { namesOf: ({ name }) => [name] })
  return (
    <Group title={t('notifications.differing')} hint={t('notifications.differing_hint')}>
      {shown.length > 0 && (
        <table class="NotificationsPage-table">
          <thead>
            <tr>
              <th scope="col">{t('move.stream')}</th>
              <th scope="col">{t('notifications.screen')}</th>
              <th scope="col">{t('notifications.sound')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {shown.map((stream) => (
              <StreamRow
                key={stream.stream_id}
                stream={stream}
                onReset={() => {
                  added.value = added.value.filter((id) => id !== stream.stream_id)
                }}
              />
            ))}
          </tbody>
        </table>
      )}
      <Field label={t('notifications.add_stream')}>
        <Combobox
          label={t('notifications.add_stream')}
          placeholder={t('notifications.stream_name')}
          value={query.value}
          options={options.map(({ stream_id, name }) => ({ id: String(stream_id), text: name }))}
          onInput={(text) => {
            query.value = text
          }}
          onChoose={({ id }) => {
            query.value = ''
            added.value = [...added.value, Number(id)]
          }}
        />
      </Field>
    </Group>
  )
}

function StreamRow({ stream, onReset }: { stream: Subscription; onReset: () => void }) {
  const usual = usualNotifications.value
  const own = notificationsOf(stream, usual)
  const { name } = stream
  return (
    <tr>
      <th scope="row">
        <span class="NotificationsPage-stream">
          <StreamShape kind={kindOf(stream)} color={stream.color} />
          <bdi>{name}</bdi>
        </span>
      </th>
      <td>
        <TableBox
          label={t('notifications.cell', { kind: name, way: t('notifications.screen') })}
          isOn={own.desktop_notifications}
          onChange={(isOn) => void changeStreamSetting(stream, 'desktop_notifications', isOn)}
        />
      </td>
      <td>
        <TableBox
          label={t('notifications.cell', { kind: name, way: t('notifications.sound') })}
          isOn={own.audible_notifications}
          onChange={(isOn) => void changeStreamSetting(stream, 'audible_notifications', isOn)}
        />
      </td>
      <td>
        <IconButton
          icon="x"
          label={t('notifications.reset', { stream: name })}
          onClick={() => {
            onReset()
            void changeStreamSetting(stream, 'desktop_notifications', null)
            void changeStreamSetting(stream, 'audible_notifications', null)
          }}
        />
      </td>
    </tr>
  )
}
