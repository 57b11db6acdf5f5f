import { client } from '../client/client.ts'
import { ownDeliveryEmail } from '../client/store.ts'

/**
 * Requests a change of the e-mail address. It takes effect when the link mailed to the new address
 * is opened.
 */
export const changeEmail = (email: string, old_password: string): Promise<unknown> =>
  client.users.updateSettings({ email, old_password })

/** Sets a new password, which signs all other browsers out. */
export const changePassword = (old_password: string, new_password: string): Promise<unknown> =>
  client.users.updateSettings({ old_password, new_password })

export const changeName = (full_name: string): Promise<unknown> => client.users.updateSettings({ full_name })

/** Returns the API key of the account. */
export async function fetchApiKey(password: string): Promise<string> {
  const username = ownDeliveryEmail.peek() ?? ''
  return (await client.authentication.fetchApiKey({ username, password })).api_key
}

/** Replaces the API key of the account and returns the new one. */
export const replaceApiKey = async (password: string): Promise<string> =>
  (await client.users.regenerateApiKey({ password })).api_key
