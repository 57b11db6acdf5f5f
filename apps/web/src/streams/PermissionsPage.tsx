import { useSignal } from '@preact/signals'
import { askPermission } from '../client/permissions.ts'
import { type KnownStream, streamsById } from '../client/streams/streams.ts'
import { WhyNot } from '../frame/WhyNot.tsx'
import { readRefusal } from '../text/refusal.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Choices } from '../ui/Choices.tsx'
import { editStream } from './edit-stream.ts'
import { postingChoices, privacyChoices, privacyFields, privacyOf } from './privacy.ts'

/**
 * Settings for who may find, read and post in a stream. Everyone can view them; administrators can
 * change them.
 */
export function PermissionsPage({ stream }: { stream: KnownStream }) {
  const { stream_id } = stream
  const privacy = useSignal<ReturnType<typeof privacyOf> | undefined>(undefined)
  const posting = useSignal<KnownStream['stream_post_policy'] | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  const mayEdit = askPermission('edit_stream', { stream_id }).value?.allowed !== false
  // Only members can change the privacy of a private stream.
  const isOutside = stream.invite_only && !streamsById.value.has(stream_id)
  const chosenPrivacy = privacy.value ?? privacyOf(stream)
  const chosenPosting = posting.value ?? stream.stream_post_policy
  const isChanged = chosenPrivacy !== privacyOf(stream) || chosenPosting !== stream.stream_post_policy
  const reset = () => {
    privacy.value = undefined
    posting.value = undefined
    problem.value = undefined
  }
  const save = async () => {
    try {
      await editStream(stream, {
        ...(privacy.value && privacyFields(privacy.value)),
        ...(posting.value && { stream_post_policy: posting.value }),
      })
      reset()
    } catch (error) {
      problem.value = readRefusal(error).reason
    }
  }
  return (
    <form
      class="StreamDetails-form StreamDetails-section"
      onSubmit={(event) => {
        event.preventDefault()
        if (isChanged) void save()
      }}
    >
      {!mayEdit && (
        <p>
          {t('streams.may_not_change')}{' '}
          <WhyNot subject={t('streams.permissions')} action="edit_stream" about={{ stream_id }} />
        </p>
      )}
      <Choices
        label={t('streams.privacy')}
        choices={privacyChoices()}
        value={chosenPrivacy}
        isDisabled={!mayEdit || isOutside}
        onChange={(value) => {
          privacy.value = value
        }}
      />
      {mayEdit && isOutside && <p class="StreamDetails-hint">{t('streams.privacy_from_outside')}</p>}
      <Choices
        label={t('streams.posting')}
        choices={postingChoices()}
        value={chosenPosting}
        isDisabled={!mayEdit}
        onChange={(value) => {
          posting.value = value
        }}
      />
      {problem.value && (
        <p class="Field-problem" role="alert">
          {problem.value}
        </p>
      )}
      {mayEdit && (
        <div class="StreamDetails-actions">
          <Button type="submit" look="primary" disabled={!isChanged}>
            {t('edit.save')}
          </Button>
          {isChanged && <Button onClick={reset}>{t('ui.cancel')}</Button>}
        </div>
      )}
    </form>
  )
}
