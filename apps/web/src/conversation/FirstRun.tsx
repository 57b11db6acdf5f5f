import './FirstRun.css'
import { useEffect } from 'preact/hooks'
import { hideFirstRun, hidesFirstRun } from '../client/device/device-settings.ts'
import { onFollowed } from '../client/events.ts'
import { showDialog } from '../client/open-dialogs.ts'
import { hasRoute } from '../client/route/has-route.ts'
import { ownId } from '../client/store.ts'
import { useLoaded } from '../client/use-loaded.ts'
import { listInvitations } from '../organization/invitations.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import type { IconName } from '../ui/icon-names.generated.ts'
import { countOwnMessages, isFirstRun, otherPeopleCount, ownStreamCount } from './first-run.ts'

/** The first steps for the owner of a new organization. A step disappears when it is done. */
export function FirstRun() {
  return isFirstRun.value && !hidesFirstRun.value ? <Steps /> : null
}

function Steps() {
  const invitations = useLoaded(listInvitations)
  const own = useLoaded(countOwnMessages)
  useEffect(
    () =>
      onFollowed((followed) => {
        if (followed.kind !== 'event') return
        const { event } = followed
        if (event.type === 'invites_changed') void invitations.reload()
        if (event.type === 'message' && event.message.sender_id === ownId.peek()) void own.reload()
      }),
    [invitations.reload, own.reload],
  )
  const isInvited = otherPeopleCount.value > 0 || (invitations.value?.length ?? 1) > 0
  const hasWritten = (own.value ?? 1) > 0
  const hasStreams = ownStreamCount.value > 0 || !hasRoute({ view: 'streams', page: 'new' })
  if (isInvited && hasStreams && hasWritten) return null
  return (
    <section class="FirstRun" aria-labelledby="first-run">
      <div class="FirstRun-head">
        <h2 id="first-run">{t('first_run.title')}</h2>
        <Button look="plain" onClick={hideFirstRun}>
          {t('first_run.hide')}
        </Button>
      </div>
      <ul class="FirstRun-steps">
        {!isInvited && (
          <Step
            icon="user-plus"
            text={t('first_run.invite')}
            hint={t('first_run.invite_hint')}
            href="#organization/invitations"
          />
        )}
        {!hasStreams && (
          <Step
            icon="hash"
            text={t('first_run.stream')}
            hint={t('first_run.stream_hint')}
            href="#streams/new"
          />
        )}
        {!hasWritten && (
          <Step
            icon="square-pen"
            text={t('first_run.hello')}
            hint={t('first_run.hello_hint')}
            onClick={() => {
              showDialog({ kind: 'new message', to: 'stream' })
            }}
          />
        )}
      </ul>
    </section>
  )
}

interface StepProps {
  icon: IconName
  text: string
  hint: string
  href?: string
  onClick?: () => void
}

function Step({ icon, text, hint, href, onClick }: StepProps) {
  const content = (
    <>
      <span class="FirstRun-icon">
        <Icon name={icon} />
      </span>
      <span class="FirstRun-text">{text}</span>
      <span class="FirstRun-hint">{hint}</span>
    </>
  )
  return (
    <li>
      {href ? (
        <a class="FirstRun-step" href={href}>
          {content}
        </a>
      ) : (
        <button type="button" class="FirstRun-step" onClick={onClick}>
          {content}
        </button>
      )}
    </li>
  )
}
