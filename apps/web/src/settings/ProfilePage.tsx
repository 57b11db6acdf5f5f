import { useComputed } from '@preact/signals'
import {
  isAdministrator,
  locksAvatars,
  locksNames,
  ownAvatarLarge,
  ownAvatarSource,
  ownId,
  ownName,
  presenceEnabled,
  profileFields,
  serverLocksAvatars,
  serverLocksNames,
  timezone,
  users,
} from '../client/store.ts'
import { FormEnd } from '../frame/FormEnd.tsx'
import { Group } from '../frame/Group.tsx'
import { Picture } from '../frame/Picture.tsx'
import { followChanges, useForm } from '../frame/use-form.ts'
import { t } from '../text/t.ts'
import { Choice } from '../ui/Choice.tsx'
import { Field } from '../ui/Field.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Switch } from '../ui/Switch.tsx'
import { changeName } from './change-account.ts'
import { removeAvatar, uploadAvatar } from './change-profile.ts'
import { changeDisplay, changeNotifications } from './change-setting.ts'
import { ProfileValue } from './ProfileValue.tsx'
import { StatusForm } from './StatusForm.tsx'

/** The settings page of the profile that others see. */
export function ProfilePage() {
  return (
    <>
      <OwnPicture />
      <Name />
      <Group title={t('status.title')} hint={t('status.hint')}>
        <StatusForm />
        <Switch
          label={t('status.presence')}
          hint={t('status.presence_hint')}
          isOn={presenceEnabled.value ?? true}
          onChange={(isOn) => void changeNotifications('presence_enabled', isOn)}
        />
      </Group>
      <Values />
      <TimeZone />
    </>
  )
}

function OwnPicture() {
  const isLocked = (locksAvatars.value || serverLocksAvatars.value) && !isAdministrator.value
  return (
    <Picture
      user_id={ownId.value ?? 0}
      name={ownName.value ?? ''}
      url={ownAvatarLarge.value ?? ''}
      saved={t('picture.saved')}
      locked={isLocked ? t('picture.locked') : undefined}
      onUpload={uploadAvatar}
      onRemove={ownAvatarSource.value === 'U' ? removeAvatar : undefined}
    />
  )
}

function Name() {
  const form = useForm<'full_name'>({
    async submit({ full_name }, element) {
      if (full_name.trim() !== ownName.peek()) await changeName(full_name)
      followChanges(element)
      return t('profile.name_saved')
    },
    findProblems: ({ name, reason }) => (name?.startsWith('NAME_') ? { full_name: reason } : undefined),
  })
  const isLocked = (locksNames.value || serverLocksNames.value) && !isAdministrator.value
  return (
    <Group title={t('profile.name')}>
      {isLocked ? (
        <>
          <p>
            <bdi>{ownName.value}</bdi>
          </p>
          <Notice>{t('profile.name_locked')}</Notice>
        </>
      ) : (
        <form class="Group" {...form.attributes}>
          <Field
            label={t('profile.full_name')}
            hint={t('profile.name_hint')}
            problem={form.problems.full_name}
          >
            <input type="text" name="full_name" autocomplete="name" defaultValue={ownName.value} />
          </Field>
          <FormEnd form={form} action={t('profile.name_save')} />
        </form>
      )}
    </Group>
  )
}

/** Custom profile fields of the organization. */
function Values() {
  const own = useComputed(() => users.value?.find(({ user_id }) => user_id === ownId.value))
  const fields = profileFields.value ?? []
  if (fields.length === 0) return null
  return (
    <Group title={t('profile.fields')} hint={t('profile.fields_hint')}>
      {fields.map((field) => (
        <ProfileValue key={field.id} field={field} value={own.value?.profile_data?.[field.id]?.value ?? ''} />
      ))}
    </Group>
  )
}

const zones = Intl.supportedValuesOf('timeZone')

function TimeZone() {
  const chosen = timezone.value ?? ''
  const listed = [...new Set([...(chosen === '' ? [] : [chosen]), ...zones])].sort()
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <Group title={t('profile.zone')}>
      <Choice
        label={t('profile.zone')}
        hint={t('profile.zone_hint')}
        value={chosen}
        options={[
          ...(chosen === '' ? [{ value: '', text: t('profile.zone_device', { zone: own }) }] : []),
          ...listed.map((zone) => ({ value: zone, text: zone.replaceAll('_', ' ') })),
        ]}
        onChange={(zone) => void changeDisplay('timezone', zone)}
      />
    </Group>
  )
}
