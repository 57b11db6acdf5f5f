import type { api } from '@oxbow/contract'
import type { Feature } from '../../feature.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { clearIcon, clearLogo, setIcon, setLogo } from './change-picture.ts'
import { removeOrganizationPictures } from './picture-files.ts'
import { organizationPicturePages } from './picture-pages.ts'
import { organizationPictureReferences } from './queries.ts'

const organizationPictureRoutes: Routes<typeof api.organizationPictures> = {
  setIcon,
  clearIcon,
  setLogo,
  clearLogo,
}

/** Icon and logos of an organization. */
export const organizationPicturesFeature = {
  routes: { organizationPictures: organizationPictureRoutes },
  pages: organizationPicturePages,
  jobs: [removeOrganizationPictures],
  files: { required: [organizationPictureReferences] },
  fileFolders: ['organizations'],
} satisfies Feature
