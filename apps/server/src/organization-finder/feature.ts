import type { Feature } from '../feature.ts'
import { finderPages } from './finder-pages.ts'
import { mailOrganizations } from './organizations-email.ts'

/** Finding the organizations of an address by e-mail. */
export const organizationFinderFeature = {
  pages: finderPages,
  jobs: [mailOrganizations],
} satisfies Feature
