import type { OrganizationId } from '@oxbow/contract'
import type { PictureSpec } from '../../platform/images/make-picture.ts'
import { job } from '../../platform/jobs/jobs.ts'
import type { PictureKind } from '../pictures.ts'

export interface PictureVersion {
  organization_id: OrganizationId
  kind: PictureKind
  version: number
}

/**
 * Returns the storage key of one version. The file of a version never changes; the committed row
 * decides which version is current.
 */
export function getPictureKey({ organization_id, kind, version }: PictureVersion): string {
  return `organizations/${organization_id}/${kind}-${version}.png`
}

const logoOptions: PictureSpec = { width: 800, height: 100, fit: 'inside' }

export const pictureOptions: Record<PictureKind, PictureSpec> = {
  icon: { width: 100, height: 100, fit: 'cover' },
  logo: logoOptions,
  night_logo: logoOptions,
}

type OutdatedPictures = Omit<PictureVersion, 'version'> & { versions: number[] }

/**
 * Removes the files of outdated versions, whose URLs then redirect to the current picture. Every
 * change of a picture enqueues this job.
 */
export const removeOrganizationPictures = job<OutdatedPictures>({
  name: 'remove_organization_pictures',
  async run({ files }, { versions, ...picture }) {
    for (const version of versions) await files.remove(getPictureKey({ ...picture, version }))
  },
})
