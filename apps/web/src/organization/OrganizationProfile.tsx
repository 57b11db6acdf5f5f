import './InvitePeople.css'
import type { OrganizationProperty, OrganizationSettings } from '@oxbow/contract'
import { useMemo } from 'preact/hooks'
import { awaitOrShowRefusal } from '../client/act.ts'
import { client } from '../client/client.ts'
import { applyOptimistically } from '../client/pending.ts'
import { isAdministrator, organizationName, slice } from '../client/store.ts'
import { FormEnd } from '../frame/FormEnd.tsx'
import { Group } from '../frame/Group.tsx'
import { followChanges, missingField, useForm } from '../frame/use-form.ts'
import { ViewFrame } from '../frame/ViewFrame.tsx'
import { t } from '../text/t.ts'
import { Choices } from '../ui/Choices.tsx'
import { Empty } from '../ui/Empty.tsx'
import { Field } from '../ui/Field.tsx'
import { Switch } from '../ui/Switch.tsx'

/** The page on which administrators change the organization. */
export function OrganizationProfile() {
  return (
    <ViewFrame title={t('menu.organization')}>
      {isAdministrator.value ? (
        <div class="InvitePeople">
          <NameForm />
          <PeopleSettings />
          <MessageSettings />
        </div>
      ) : (
        <Empty icon="building-2" title={t('organization.refused')} />
      )}
    </ViewFrame>
  )
}

function NameForm() {
  const form = useForm<'name'>({
    async submit({ name }, element) {
      if (name.trim() === '') throw missingField('NAME_MISSING')
      if (name.trim() !== organizationName.peek()) await changeOrganizationName(name)
      followChanges(element)
      return t('organization.name_saved')
    },
    findProblems: ({ name, reason }) => ({
      name: name === 'NAME_MISSING' ? t('organization.name_missing') : reason,
    }),
  })
  return (
    <Group title={t('profile.name')}>
      <form class="Group" {...form.attributes}>
        <Field label={t('organization.name')} hint={t('organization.name_hint')} problem={form.problems.name}>
          <input
            type="text"
            name="name"
            autocomplete="off"
            dir="auto"
            defaultValue={organizationName.value}
          />
        </Field>
        <FormEnd form={form} action={t('organization.name_save')} />
      </form>
    </Group>
  )
}

function PeopleSettings() {
  return (
    <Group title={t('organization.people')}>
      <Switch
        label={t('organization.limits_guests')}
        hint={t('organization.limits_guests_hint')}
        isOn={limitsGuests.value ?? false}
        onChange={(value) => void limitGuests(value)}
      />
    </Group>
  )
}

const limitsGuests = slice('realm_guests_see_only_shared_people')
const addressVisibility = slice('realm_email_address_visibility')
/** Values of `email_address_visibility`. */
const [everyone, administrators] = [1, 3] as const

/** Limits whom guests see. Hides addresses that are shown to everyone, as the server requires. */
async function limitGuests(isLimited: boolean): Promise<void> {
  const hides = isLimited && addressVisibility.peek() === everyone
  await awaitOrShowRefusal(
    client.organization.update({
      guests_see_only_shared_people: isLimited,
      ...(hides && { email_address_visibility: administrators }),
    }),
  )
}

function MessageSettings() {
  return (
    <Group title={t('organization.messages')}>
      <SettingSwitch
        name="mandatory_topics"
        label={t('organization.mandatory_topics')}
        hint={t('organization.mandatory_topics_hint')}
      />
      <SettingSwitch
        name="allow_edit_history"
        label={t('organization.allow_edit_history')}
        hint={t('organization.allow_edit_history_hint')}
      />
      <SettingSwitch
        name="enable_read_receipts"
        label={t('organization.enable_read_receipts')}
        hint={t('organization.enable_read_receipts_hint')}
      />
      <ResolvePolicy />
    </Group>
  )
}

function ResolvePolicy() {
  const policy = useMemo(() => slice('realm_resolve_topics_policy'), [])
  return (
    <Choices
      label={t('organization.resolve_topics_policy')}
      choices={[
        { value: 1, text: t('organization.resolve_members') },
        { value: 3, text: t('organization.resolve_full') },
        { value: 2, text: t('organization.resolve_admins') },
      ]}
      value={policy.value ?? 1}
      onChange={(value) => void changeSetting('resolve_topics_policy', value)}
    />
  )
}

/** The settings that are on or off, and whose change is one event. */
type SwitchedSetting = {
  [Name in keyof OrganizationSettings]: OrganizationSettings[Name] extends boolean ? Name : never
}[keyof OrganizationSettings] &
  OrganizationProperty

/** A setting of the organization that is on or off. */
function SettingSwitch({ name, label, hint }: { name: SwitchedSetting; label: string; hint: string }) {
  const isOn = useMemo(() => slice(`realm_${name}`), [name])
  return (
    <Switch
      label={label}
      hint={hint}
      isOn={isOn.value ?? false}
      onChange={(value) => void changeSetting(name, value)}
    />
  )
}

/** Changes a setting optimistically; if it is refused, restores it and shows the reason. */
async function changeSetting(
  property: SwitchedSetting | 'resolve_topics_policy',
  value: boolean | number,
): Promise<void> {
  await awaitOrShowRefusal(
    applyOptimistically([{ type: 'realm', op: 'update', property, value }], (options) =>
      client.organization.update({ [property]: value }, options),
    ),
  )
}

/** Changes the name of the organization. Throws the server's refusal. */
const changeOrganizationName = (name: string): Promise<unknown> =>
  client.organization.update({ name: name.trim() })
