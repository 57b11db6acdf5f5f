import './InvitePeople.css'
import { client } from '../client/client.ts'
import { isAdministrator, organizationName } from '../client/store.ts'
import { FormEnd } from '../frame/FormEnd.tsx'
import { Group } from '../frame/Group.tsx'
import { followChanges, missingField, useForm } from '../frame/use-form.ts'
import { ViewFrame } from '../frame/ViewFrame.tsx'
import { t } from '../text/t.ts'
import { Empty } from '../ui/Empty.tsx'
import { Field } from '../ui/Field.tsx'

/** The page on which administrators change the name of the organization. */
export function OrganizationProfile() {
  return (
    <ViewFrame title={t('menu.organization')}>
      {isAdministrator.value ? (
        <div class="InvitePeople">
          <NameForm />
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

/** Changes the name of the organization. Throws the server's refusal. */
const changeOrganizationName = (name: string): Promise<unknown> =>
  client.organization.update({ name: name.trim() })
