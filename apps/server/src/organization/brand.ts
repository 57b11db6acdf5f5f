import type { Brand } from '../platform/pages/send-page.ts'
import { type OrganizationPictures, pictureUrl } from './pictures.ts'

/** Returns what pages of the organization show of it. */
export const brandOf = (organization: OrganizationPictures & { name: string }): Brand => ({
  name: organization.name,
  iconUrl: pictureUrl(organization, 'icon'),
})
