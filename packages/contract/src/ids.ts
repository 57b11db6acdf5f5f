import { z } from 'zod'

/**
 * Ids are branded, so that two of them cannot change places unseen. Every id fits a JavaScript number exactly;
 * the database keeps them as bigint.
 */
export const organizationId = z.int().brand<'OrganizationId'>()
export type OrganizationId = z.infer<typeof organizationId>

export const userId = z.int().brand<'UserId'>()
export type UserId = z.infer<typeof userId>

export const profileFieldId = z.int().brand<'ProfileFieldId'>()
export type ProfileFieldId = z.infer<typeof profileFieldId>
