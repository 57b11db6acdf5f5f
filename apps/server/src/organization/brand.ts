import type { Brand } from '../platform/pages/send-page.ts'
import { type OrganizationPictures, pictureUrl } from './pictures.ts'

/** Returns the name and icon that pages of the organization show. */
export const brandOf = (organization: OrganizationPictures & { name: string }): Brand => ({
  name: organization.name,
  iconUrl: pictureUrl(organization, 'icon'),
})
