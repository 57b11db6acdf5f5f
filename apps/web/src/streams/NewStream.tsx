import './NewStream.css'
import type { UserId } from '@oxbow/contract'
import {
  decideByPolicy,
  maxStreamDescriptionLength,
  PostPolicy,
  permissionRules,
} from '@oxbow/contract/plain'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { askPermission } from '../client/permissions.ts'
import { addingPolicy, isAdministrator, isGuest, ownId, users, waitingDays } from '../client/store.ts'
import { ViewFrame } from '../frame/ViewFrame.tsx'
import { WhyNot } from '../frame/WhyNot.tsx'
import { readRefusal } from '../text/refusal.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Choices } from '../ui/Choices.tsx'
import { Field } from '../ui/Field.tsx'
import { Notice } from '../ui/Notice.tsx'
import { createStream } from './create-stream.ts'
import { findNameProblem, isAboutName } from './name-problem.ts'
import { PeopleField } from './PeopleField.tsx'
import { type Privacy, postingChoices, privacyChoices, privacyFields } from './privacy.ts'

interface Problem {
  readonly field: 'name' | 'people' | 'form'
  readonly text: string
}

/** Errors of the server that concern the people to add. */
const peopleErrors = [
  'PRINCIPAL_NOT_FOUND',
  'ONLY_ADMINISTRATORS_SUBSCRIBE_OTHERS',
  'TOO_NEW_TO_SUBSCRIBE_OTHERS',
  'TOO_MANY_SUBSCRIPTIONS',
]

/** The form that creates a stream. */
export function NewStream() {
  const name = useSignal('')
  const description = useSignal('')
  const privacy = useSignal<Privacy>('public')
  const posting = useSignal<PostPolicy>(PostPolicy.everyone)
  const user_ids = useSignal<readonly UserId[]>([])
  const problem = useSignal<Problem | undefined>(undefined)
  const isBusy = useSignal(false)
  const nameField = useRef<HTMLInputElement>(null)
  useEffect(() => nameField.current?.focus(), [])
  const mayCreate = askPermission('create_stream', {}).value?.allowed !== false
  const addingObstacle = findAddingObstacle()
  const problemOf = (field: Problem['field']) =>
    problem.value?.field === field ? problem.value.text : undefined
  const refuse = (refused: Problem) => {
    problem.value = refused
    if (refused.field === 'name') nameField.current?.focus()
  }
  const submit = async () => {
    const text = findNameProblem(name.value)
    if (text !== undefined) return refuse({ field: 'name', text })
    problem.value = undefined
    isBusy.value = true
    try {
      await createStream({
        name: name.value,
        description: description.value,
        ...privacyFields(privacy.value),
        stream_post_policy: posting.value,
        user_ids: user_ids.value,
      })
    } catch (error) {
      const { name: errorName, reason } = readRefusal(error)
      const isAboutPeople = peopleErrors.includes(errorName ?? '')
      refuse({ field: isAboutName(errorName) ? 'name' : isAboutPeople ? 'people' : 'form', text: reason })
    } finally {
      isBusy.value = false
    }
  }
  return (
    <ViewFrame title={t('streams.new')}>
      <form
        class="NewStream"
        onSubmit={(event) => {
          event.preventDefault()
          if (mayCreate && !isBusy.value) void submit()
        }}
      >
        {!mayCreate && (
          <Notice look="warning">
            {t('streams.may_not_create')} <WhyNot subject={t('streams.new')} action="create_stream" />
          </Notice>
        )}
        <fieldset class="NewStream-fields" disabled={!mayCreate}>
          <Field label={t('streams.name')} hint={t('streams.name_hint')} problem={problemOf('name')}>
            <input
              ref={nameField}
              type="text"
              autocomplete="off"
              dir="auto"
              value={name.value}
              onInput={({ currentTarget }) => {
                name.value = currentTarget.value
                problem.value = undefined
              }}
            />
          </Field>
          <Field label={t('streams.description')} hint={t('streams.description_hint')} isOptional>
            <textarea
              rows={2}
              dir="auto"
              maxLength={maxStreamDescriptionLength}
              value={description.value}
              onInput={({ currentTarget }) => {
                description.value = currentTarget.value
              }}
            />
          </Field>
          <Choices
            label={t('streams.privacy')}
            choices={privacyChoices()}
            value={privacy.value}
            onChange={(value) => {
              privacy.value = value
            }}
          />
          <Choices
            label={t('streams.posting')}
            choices={postingChoices()}
            value={posting.value}
            onChange={(value) => {
              posting.value = value
            }}
          />
          <PeopleField
            label={t('streams.people')}
            hint={addingObstacle ?? t('streams.people_hint')}
            problem={problemOf('people')}
            chosen={user_ids.value}
            onChange={(chosen) => {
              user_ids.value = chosen
            }}
            isExcluded={(user_id) => user_id === ownId.value}
            isDisabled={addingObstacle !== undefined}
          />
          {problemOf('form') && (
            <p class="Field-problem" role="alert">
              {problemOf('form')}
            </p>
          )}
          <div class="NewStream-actions">
            <Button type="submit" look="primary" disabled={isBusy.value}>
              {t('streams.create')}
            </Button>
            <Button onClick={() => history.back()}>{t('ui.cancel')}</Button>
          </div>
        </fieldset>
      </form>
    </ViewFrame>
  )
}

/** Returns why the account may not add other people to streams; undefined if it may. Reads signals. */
function findAddingObstacle(): string | undefined {
  const own = users.value?.find(({ user_id }) => user_id === ownId.value)
  const { allowed, rule } = decideByPolicy(addingPolicy.value ?? 1, waitingDays.value ?? 0, {
    is_admin: isAdministrator.value ?? false,
    is_guest: isGuest.value ?? false,
    date_joined: own?.date_joined ?? '',
  })
  return allowed ? undefined : permissionRules[rule]
}
