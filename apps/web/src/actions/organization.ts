import { client } from '../data/client.ts'

/** Changes the name of the organization. Throws the server's refusal. */
export const changeOrganizationName = (name: string): Promise<unknown> =>
  client.organization.update({ name: name.trim() })
