import { client } from '../data/client.ts'
import { postToTabs } from '../device/channel.ts'
import { forgetDevice } from '../device/device.ts'

/** Ends the session of this browser, deletes the data stored on the device, and opens the sign-in page. */
export async function signOut(): Promise<void> {
  await client.sessions.endCurrent()
  await forgetDevice()
  postToTabs('signed out', null)
  location.assign('/login?signed_out')
}
