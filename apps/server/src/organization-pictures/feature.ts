import type { Feature } from '../feature.ts'
import { removeOrganizationPictures } from './picture-files.ts'
import { organizationPicturePages } from './picture-pages.ts'
import { organizationPictureReferences } from './queries.ts'
import { organizationPictureRoutes } from './routes.ts'

/** Icon and logos of an organization. */
export const organizationPicturesFeature = {
  routes: { organizationPictures: organizationPictureRoutes },
  pages: organizationPicturePages,
  jobs: [removeOrganizationPictures],
  files: { required: [organizationPictureReferences] },
  fileFolders: ['organizations'],
} satisfies Feature
