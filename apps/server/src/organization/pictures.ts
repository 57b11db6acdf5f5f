import type { OrganizationRow } from '../platform/database/tables.ts'

export const pictureKinds = ['icon', 'logo', 'night_logo'] as const
export type PictureKind = (typeof pictureKinds)[number]

export type Pictured = Pick<
  OrganizationRow,
  'id' | 'subdomain' | `${PictureKind}_source` | `${PictureKind}_version`
>

/** What is uploaded stays at one place; the version in the query tells that it is another one. */
export function pictureUrl(organization: Pictured, kind: PictureKind): string {
  const version = organization[`${kind}_version`]
  if (organization[`${kind}_source`] === 'uploaded')
    return `/user_avatars/${organization.id}/realm/${kind}.png?version=${version}`
  return '/static/images/default-icon.png?version=0'
}

/** `{ icon_source, icon_url }`, as events and the state have it. */
export function viewPicture(organization: Pictured, kind: PictureKind): Record<string, string> {
  const stock = kind === 'icon' ? 'G' : 'D'
  const isUploaded = organization[`${kind}_source`] === 'uploaded'
  return {
    [`${kind}_source`]: isUploaded ? 'U' : stock,
    [`${kind}_url`]: pictureUrl(organization, kind),
  }
}
