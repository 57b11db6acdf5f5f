import type { OrganizationId } from '@oxbow/contract'
import type { PictureKind } from '../organization/pictures.ts'
import type { PictureWish } from '../platform/images/make-picture.ts'
import { job } from '../platform/jobs.ts'

export interface PicturePlace {
  organization_id: OrganizationId
  kind: PictureKind
  version: number
}

/** Every version has a file of its own: what is under a key never changes, and whoever commits decides which one counts. */
export function pictureKey({ organization_id, kind, version }: PicturePlace): string {
  return `organizations/${organization_id}/${kind}-${version}.png`
}

const logo: PictureWish = { width: 800, height: 100, fit: 'inside' }

export const wishes: Record<PictureKind, PictureWish> = {
  icon: { width: 100, height: 100, fit: 'cover' },
  logo,
  night_logo: logo,
}

type Outdated = Omit<PicturePlace, 'version'> & { versions: number[] }

/** Queued with the change that nobody needs them after; an old URL then leads to the new picture. */
export const removeOrganizationPictures = job<Outdated>({
  name: 'remove_organization_pictures',
  async run({ files }, { versions, ...place }) {
    for (const version of versions) await files.remove(pictureKey({ ...place, version }))
  },
})
