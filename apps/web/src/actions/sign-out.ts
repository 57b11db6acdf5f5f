import { client } from '../data/client.ts'

/** Ends the session of this browser and goes to the sign-in page. */
export async function signOut(): Promise<void> {
  await client.sessions.endCurrent()
  location.assign('/login?signed_out')
}
