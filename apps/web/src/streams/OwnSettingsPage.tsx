import './OwnSettingsPage.css'
import type { Subscription } from '@oxbow/contract'
import { streamColors } from '@oxbow/contract/plain'
import { useId } from 'preact/hooks'
import {
  desktopOfStreams,
  emailOfStreams,
  pushOfStreams,
  soundOfStreams,
  wildcardOfStreams,
} from '../client/store.ts'
import { type Key, t } from '../text/t.ts'
import { Field } from '../ui/Field.tsx'
import { Switch } from '../ui/Switch.tsx'
import { changeStreamSetting, type StreamSetting } from './change-stream-setting.ts'

/** The user's own settings for a stream. */
export function OwnSettingsPage({ stream }: { stream: Subscription }) {
  return (
    <>
      <section class="StreamDetails-section">
        <Switch
          label={t('streams.pin')}
          hint={t('streams.pin_hint')}
          isOn={stream.pin_to_top}
          onChange={(isOn) => void changeStreamSetting(stream, 'pin_to_top', isOn)}
        />
        <Switch
          label={t('streams.mute')}
          hint={t('streams.mute_hint')}
          isOn={stream.is_muted}
          onChange={(isOn) => void changeStreamSetting(stream, 'is_muted', isOn)}
        />
      </section>
      <Colors stream={stream} />
      <Notifications stream={stream} />
    </>
  )
}

function Colors({ stream }: { stream: Subscription }) {
  const name = useId()
  const current = stream.color.toLowerCase()
  const choose = (color: string) => void changeStreamSetting(stream, 'color', color)
  return (
    <section class="StreamDetails-section">
      <fieldset>
        <legend class="Heading OwnSettingsPage-legend">{t('streams.color')}</legend>
        <div class="OwnSettingsPage-colors">
          {streamColors.map((color, index) => (
            <input
              key={color}
              class="OwnSettingsPage-color"
              type="radio"
              name={name}
              style={{ '--stream': color }}
              aria-label={t('streams.color_named', { place: String(index + 1) })}
              checked={color === current}
              onChange={() => choose(color)}
            />
          ))}
        </div>
      </fieldset>
      <label class="OwnSettingsPage-other">
        <input
          type="color"
          value={/^#[0-9a-f]{6}$/.test(current) ? current : streamColors[0]}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
        {t('streams.color_other')}
      </label>
    </section>
  )
}

type Notification = Exclude<StreamSetting, 'color' | 'is_muted' | 'pin_to_top'>

const notifications: readonly [Notification, Key, { readonly value: boolean | undefined }][] = [
  ['desktop_notifications', 'streams.notify_desktop', desktopOfStreams],
  ['audible_notifications', 'streams.notify_sound', soundOfStreams],
  ['push_notifications', 'streams.notify_push', pushOfStreams],
  ['email_notifications', 'streams.notify_email', emailOfStreams],
  ['wildcard_mentions_notify', 'streams.notify_all', wildcardOfStreams],
]

function Notifications({ stream }: { stream: Subscription }) {
  return (
    <section class="StreamDetails-section">
      <h2 class="Heading">{t('streams.notifications')}</h2>
      <p class="StreamDetails-hint">{t('streams.notifications_hint')}</p>
      <div class="OwnSettingsPage-notifications">
        {notifications.map(([property, key, inherited]) => (
          <Field key={property} label={t(key as 'streams.notify_desktop')}>
            <select
              value={String(stream[property])}
              onChange={({ currentTarget: { value } }) =>
                void changeStreamSetting(stream, property, value === 'null' ? null : value === 'true')
              }
            >
              <option value="null">
                {inherited.value ? t('streams.as_all_on') : t('streams.as_all_off')}
              </option>
              <option value="true">{t('streams.on')}</option>
              <option value="false">{t('streams.off')}</option>
            </select>
          </Field>
        ))}
      </div>
    </section>
  )
}
