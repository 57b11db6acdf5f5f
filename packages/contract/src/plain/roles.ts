/**
 * Numbers of roles on the wire. A smaller number means more rights. Clients of protocol generation 27 know no
 * moderators: they see members, and are refused when they send 300.
 */
export const Role = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const
export type Role = (typeof Role)[keyof typeof Role]
export const roles = [Role.owner, Role.administrator, Role.moderator, Role.member, Role.guest] as const

/** The roles that programs of generation 27 know. */
export const rolesOfGeneration27 = [Role.owner, Role.administrator, Role.member, Role.guest] as const

export const isAdministrator = (role: Role): boolean => role <= Role.administrator
/** Returns whether the role is moderator or above. */
export const isModerator = (role: Role): boolean => role <= Role.moderator

export const BotType = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const
export type BotType = (typeof BotType)[keyof typeof BotType]
export const botTypes = [1, 2, 3, 4] as const

/** Format in which an outgoing webhook is called: JSON, or form fields for older services. */
export const BotInterface = { json: 1, form: 2 } as const
export type BotInterface = (typeof BotInterface)[keyof typeof BotInterface]
export const botInterfaces = [1, 2] as const
