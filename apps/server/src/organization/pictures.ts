import type { OrganizationRow } from '../platform/database/tables.ts'

export const pictureKinds = ['icon', 'logo', 'night_logo'] as const
export type PictureKind = (typeof pictureKinds)[number]

export type OrganizationPictures = Pick<
  OrganizationRow,
  'id' | 'subdomain' | `${PictureKind}_source` | `${PictureKind}_version`
>

/** Returns the picture's URL. The path is the same for all versions; the query differs. */
export function pictureUrl(organization: OrganizationPictures, kind: PictureKind): string {
  const version = organization[`${kind}_version`]
  if (organization[`${kind}_source`] === 'uploaded')
    return `/user_avatars/${organization.id}/realm/${kind}.png?version=${version}`
  return '/static/images/default-icon.png?version=0'
}

/** Returns `{ icon_source, icon_url }` or the like, as events and the state contain it. */
export function viewPicture(organization: OrganizationPictures, kind: PictureKind): Record<string, string> {
  const defaultSource = kind === 'icon' ? 'G' : 'D'
  const isUploaded = organization[`${kind}_source`] === 'uploaded'
  return {
    [`${kind}_source`]: isUploaded ? 'U' : defaultSource,
    [`${kind}_url`]: pictureUrl(organization, kind),
  }
}
