/** Who may post to a stream. Administrators always may. */
export const PostPolicy = { everyone: 1, administrators: 2, fullMembers: 3 } as const
export type PostPolicy = (typeof PostPolicy)[keyof typeof PostPolicy]
export const postPolicies = [1, 2, 3] as const
