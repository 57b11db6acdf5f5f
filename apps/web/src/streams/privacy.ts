import type { Stream } from '@oxbow/contract'
import { PostPolicy } from '@oxbow/contract/plain'
import { t } from '../text/t.ts'
import type { Choice } from '../ui/Choices.tsx'

/** Who may find and read a stream. */
export type Privacy = 'public' | 'private' | 'private from now on'

export function privacyOf({
  invite_only,
  history_public_to_subscribers,
}: Pick<Stream, 'invite_only' | 'history_public_to_subscribers'>): Privacy {
  if (!invite_only) return 'public'
  return history_public_to_subscribers ? 'private' : 'private from now on'
}

/** Returns the request fields that set a privacy. */
export const privacyFields = (privacy: Privacy) => ({
  invite_only: privacy !== 'public',
  history_public_to_subscribers: privacy !== 'private from now on',
})

export const privacyChoices = (): Choice<Privacy>[] => [
  { value: 'public', text: t('streams.public'), hint: t('streams.public_hint') },
  { value: 'private', text: t('streams.private'), hint: t('streams.private_hint') },
  { value: 'private from now on', text: t('streams.protected'), hint: t('streams.protected_hint') },
]

export const postingChoices = (): Choice<PostPolicy>[] => [
  { value: PostPolicy.everyone, text: t('streams.post_everyone') },
  { value: PostPolicy.fullMembers, text: t('streams.post_full'), hint: t('streams.post_full_hint') },
  { value: PostPolicy.administrators, text: t('streams.post_admins'), hint: t('streams.post_admins_hint') },
]
