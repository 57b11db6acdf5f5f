import type { StreamId } from '@oxbow/contract'
import { useSignal } from '@preact/signals'
import {
  canSubscribeOthers,
  defaultStreams,
  isAdministrator,
  neverSubscribed,
  subscriptions,
  unsubscribed,
} from '../client/store.ts'
import { streamName } from '../client/streams/streams.ts'
import { FormEnd } from '../frame/FormEnd.tsx'
import { Group } from '../frame/Group.tsx'
import { useForm } from '../frame/use-form.ts'
import { findBest } from '../text/match-name.ts'
import { t } from '../text/t.ts'
import { ChipField } from '../ui/ChipField.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Field } from '../ui/Field.tsx'
import type { Option } from '../ui/Listbox.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Segments } from '../ui/Segments.tsx'
import { createInvitationLink, inviteByEmail } from './invitations.ts'
import { LeftOut, readLeftOut } from './LeftOut.tsx'
import { listAssignableRoles, nameRole } from './roles.ts'

const member = 400

/**
 * Invites people by e-mail or creates an invitation link, with a role and streams for the invited
 * people.
 */
export function InviteForm({ onInvited }: { onInvited: () => void }) {
  const way = useSignal<'email' | 'link'>('email')
  const invite_as = useSignal(member)
  const chosen = useSignal<readonly StreamId[] | undefined>(undefined)
  const emails = useSignal('')
  const link = useSignal<string | undefined>(undefined)
  const stream_ids = chosen.value ?? listDefaultIds()
  const leftOut = useSignal<readonly LeftOut[]>([])
  const form = useForm<'emails' | 'streams'>({
    async submit() {
      leftOut.value = []
      link.value = undefined
      const draft = { invite_as: invite_as.value, stream_ids }
      if (way.value === 'link') {
        link.value = await createInvitationLink(draft)
        onInvited()
        return undefined
      }
      try {
        await inviteByEmail(emails.value, draft)
        emails.value = ''
      } catch (error) {
        leftOut.value = readLeftOut(error)
        if ((error as { name?: string }).name !== 'SOME_NOT_INVITED') throw error
      } finally {
        onInvited()
      }
      return t('invite.done')
    },
    findProblems: ({ name }) => explain(name),
  })
  return (
    <Group title={t('invite.new')} hint={t('invite.new_hint')}>
      {isAdministrator.value && (
        <Segments
          label={t('invite.way')}
          value={way.value}
          options={[
            { value: 'email', text: t('invite.by_email'), icon: 'mail' },
            { value: 'link', text: t('invite.by_link'), icon: 'link' },
          ]}
          onChange={(value) => {
            way.value = value
          }}
        />
      )}
      <form class="Group" {...form.attributes}>
        {way.value === 'email' ? (
          <Field label={t('invite.emails')} hint={t('invite.emails_hint')} problem={form.problems.emails}>
            <textarea
              name="emails"
              rows={3}
              autocomplete="off"
              value={emails.value}
              onInput={({ currentTarget }) => {
                emails.value = currentTarget.value
              }}
            />
          </Field>
        ) : (
          <p>{t('invite.link_hint')}</p>
        )}
        <Field label={t('invite.role')}>
          <select
            onChange={({ currentTarget }) => {
              invite_as.value = Number(currentTarget.value)
            }}
          >
            {listAssignableRoles().map((role) => (
              <option key={role} value={role} selected={role === invite_as.value}>
                {nameRole(role)}
              </option>
            ))}
          </select>
        </Field>
        {canSubscribeOthers.value ? (
          <ChipField
            label={t('invite.streams')}
            hint={t('invite.streams_hint')}
            problem={form.problems.streams}
            placeholder={t('notifications.stream_name')}
            chosen={stream_ids.map((id) => ({ id: String(id), text: streamName(id) }))}
            find={(query) => findStreams(query, stream_ids)}
            onAdd={(id) => {
              chosen.value = [...stream_ids, Number(id) as StreamId]
            }}
            onRemove={(id) => {
              chosen.value = stream_ids.filter((other) => other !== Number(id))
            }}
          />
        ) : (
          <p>{t('invite.default_streams')}</p>
        )}
        <LeftOut people={leftOut.value} />
        <FormEnd form={form} action={way.value === 'email' ? t('invite.send') : t('invite.make_link')} />
      </form>
      {link.value !== undefined && (
        <Notice look="success">
          <p>{t('invite.link_made')}</p>
          <div class="InvitePeople-link">
            <code>{link.value}</code>
            <CopyButton text={link.value} action={t('invite.copy_link')} />
          </div>
        </Notice>
      )}
    </Group>
  )
}

/** Returns the error message for a field; undefined for refusals that concern the whole form. */
function explain(name: string | undefined): { emails: string } | { streams: string } | undefined {
  switch (name) {
    case 'NO_ADDRESS_TO_INVITE':
      return { emails: t('invite.no_address') }
    case 'ADDRESSES_NOT_VALID':
      return { emails: t('invite.not_valid') }
    case 'NOBODY_INVITED':
      return { emails: t('invite.nobody') }
    case 'NO_STREAM_TO_JOIN':
    case 'STREAM_TO_JOIN_NOT_FOUND':
    case 'STREAM_OF_LINK_NOT_FOUND':
      return { streams: t('invite.no_stream') }
    default:
      return undefined
  }
}

const maxShown = 8

/** Finds streams that invited people can join, by name. Reads signals. */
function findStreams(query: string, chosen: readonly number[]): Option[] {
  const streams = [
    ...(subscriptions.value ?? []),
    ...(unsubscribed.value ?? []),
    ...(neverSubscribed.value ?? []),
  ].filter(({ stream_id }) => !chosen.includes(stream_id))
  return findBest(streams, query, maxShown, { namesOf: ({ name }) => [name] }).map(({ stream_id, name }) => ({
    id: String(stream_id),
    text: name,
  }))
}

/** Ids of the organization's default streams. Reads a signal. */
const listDefaultIds = (): StreamId[] => (defaultStreams.value ?? []).map(({ stream_id }) => stream_id)
