import type { Invitation } from '@oxbow/contract'
import { useSignal } from '@preact/signals'
import { awaitOrShowRefusal } from '../client/act.ts'
import { formatDay } from '../client/formats/dates.ts'
import { nameOf } from '../client/people/names.ts'
import { ownId } from '../client/store.ts'
import { SettingList } from '../frame/SettingList.tsx'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Notice } from '../ui/Notice.tsx'
import { resendInvitation, revokeInvitation } from './invitations.ts'
import { nameRole } from './roles.ts'

/** Invitations are valid for this long. */
const validMs = 10 * 86_400_000

export interface InvitationListProps {
  invitations: readonly Invitation[]
  onChanged: () => void
}

/** Open invitations and links, which were neither accepted nor revoked, newest first. */
export function InvitationList({ invitations, onChanged }: InvitationListProps) {
  const revoking = useSignal<Invitation | undefined>(undefined)
  const close = () => {
    revoking.value = undefined
  }
  const revoke = async (invitation: Invitation) => {
    close()
    await awaitOrShowRefusal(revokeInvitation(invitation))
    onChanged()
  }
  const resend = async (invitation: Invitation) => {
    await awaitOrShowRefusal(resendInvitation(invitation))
    onChanged()
  }
  if (invitations.length === 0) return <p class="SettingList-empty">{t('invite.none_open')}</p>
  const shown = revoking.value
  // Only a server without e-mail returns the links of invitations to addresses.
  const isWithoutMail = invitations.some(({ email, link_url }) => email && link_url)
  return (
    <>
      {isWithoutMail && <Notice look="warning">{t('invite.no_mail')}</Notice>}
      <SettingList>
        {invitations
          .toSorted((one, other) => other.invited - one.invited)
          .map((invitation) => (
            <Row
              key={`${invitation.is_multiuse} ${invitation.id}`}
              invitation={invitation}
              onResend={() => void resend(invitation)}
              onRevoke={() => {
                revoking.value = invitation
              }}
            />
          ))}
      </SettingList>
      {shown && (
        <Dialog
          title={t('invite.revoke_title')}
          onClose={close}
          actions={
            <>
              <Button onClick={close}>{t('ui.cancel')}</Button>
              <Button look="danger" icon="trash-2" onClick={() => void revoke(shown)}>
                {t('invite.revoke')}
              </Button>
            </>
          }
        >
          <p>
            {shown.email ? t('invite.revoke_hint', { email: shown.email }) : t('invite.revoke_link_hint')}
          </p>
        </Dialog>
      )}
    </>
  )
}

interface RowProps {
  invitation: Invitation
  onResend: () => void
  onRevoke: () => void
}

function Row({ invitation, onResend, onRevoke }: RowProps) {
  const { email, link_url, is_multiuse, invited, invited_as, invited_by_user_id } = invitation
  const name = email ?? t('invite.link')
  const facts = {
    role: nameRole(invited_as),
    inviter: invited_by_user_id === ownId.value ? t('invite.you') : nameOf(invited_by_user_id),
    day: formatDay(invited * 1_000 + validMs),
  }
  return (
    <li class="SettingList-row SettingList-tall">
      <Icon name={is_multiuse ? 'link' : 'mail'} />
      <div class="SettingList-name">
        <bdi class="SettingList-title">{name}</bdi>
        <p class="SettingList-facts">{t('invite.facts', facts)}</p>
      </div>
      <div class="SettingList-actions">
        {link_url !== undefined && (
          <CopyButton text={link_url} action={t('invite.copy_link')} label={t('invite.copy', { name })} />
        )}
        {!is_multiuse && link_url === undefined && (
          <Button aria-label={t('invite.resend_to', { name })} onClick={onResend}>
            {t('invite.resend')}
          </Button>
        )}
        <Button aria-label={t('invite.revoke_of', { name })} onClick={onRevoke}>
          {t('invite.revoke')}
        </Button>
      </div>
    </li>
  )
}
