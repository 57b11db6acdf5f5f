import type { Feature } from '../../feature.ts'
import { finderPages } from './finder-pages.ts'
import { mailOrganizations } from './organizations-email.ts'

/** The organization finder: e-mails people a list of the organizations in which they have an account. */
export const organizationFinderFeature = {
  pages: finderPages,
  jobs: [mailOrganizations],
} satisfies Feature
