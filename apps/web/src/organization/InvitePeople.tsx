import './InvitePeople.css'
import { useEffect } from 'preact/hooks'
import { onFollowed } from '../client/events.ts'
import { askPermission } from '../client/permissions.ts'
import { isGuest } from '../client/store.ts'
import { useLoaded } from '../client/use-loaded.ts'
import { Group } from '../frame/Group.tsx'
import { ViewFrame } from '../frame/ViewFrame.tsx'
import { t } from '../text/t.ts'
import { Empty } from '../ui/Empty.tsx'
import { RowsFailed, RowsLoading } from '../ui/Loading.tsx'
import { InvitationList } from './InvitationList.tsx'
import { InviteForm } from './InviteForm.tsx'
import { listInvitations } from './invitations.ts'

/** The page for inviting people by e-mail or by a link, with the pending invitations. */
export function InvitePeople() {
  const permission = askPermission('invite', {}).value
  return (
    <ViewFrame title={t('invite.title')}>
      {permission && !permission.allowed ? (
        <Empty icon="user-plus" title={t('invite.refused')} text={permission.reason} />
      ) : (
        !isGuest.value && <Inviting />
      )}
    </ViewFrame>
  )
}

function Inviting() {
  const { value: invitations, problem, reload } = useLoaded(listInvitations)
  useEffect(
    () =>
      onFollowed((followed) => {
        if (followed.kind === 'event' && followed.event.type === 'invites_changed') void reload()
      }),
    [reload],
  )
  return (
    <div class="InvitePeople">
      <InviteForm onInvited={() => void reload()} />
      <Group title={t('invite.open')} hint={invitations?.length ? t('invite.open_hint') : undefined}>
        {problem !== undefined && <RowsFailed problem={problem} onRetry={() => void reload()} />}
        {!invitations && problem === undefined && <RowsLoading />}
        {invitations && <InvitationList invitations={invitations} onChanged={() => void reload()} />}
      </Group>
    </div>
  )
}
