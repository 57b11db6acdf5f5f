import { route } from '../client/route/router.ts'
import { InvitePeople } from './InvitePeople.tsx'
import { OrganizationProfile } from './OrganizationProfile.tsx'
import { StreamFolders } from './StreamFolders.tsx'

/** The pages of the organization. */
export function Organization() {
  const page = route.value.view === 'organization' ? route.value.page : undefined
  if (page === 'streams') return <StreamFolders />
  return page === 'profile' ? <OrganizationProfile /> : <InvitePeople />
}
