import './StreamDetails.css'
import { type PageOf, pages } from '../client/route/route.ts'
import { route } from '../client/route/router.ts'
import { canJoin } from '../client/streams/stream-directory.ts'
import { type KnownStream, knownStreams, streamsById } from '../client/streams/streams.ts'
import { ViewFrame } from '../frame/ViewFrame.tsx'
import { type Key, t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Empty } from '../ui/Empty.tsx'
import { PageLinks } from '../ui/PageLinks.tsx'
import { GeneralPage } from './GeneralPage.tsx'
import { MembersPage } from './MembersPage.tsx'
import { NoStream } from './NoStream.tsx'
import { OwnSettingsPage } from './OwnSettingsPage.tsx'
import { PermissionsPage } from './PermissionsPage.tsx'
import { StreamHeading } from './StreamHeading.tsx'
import { StreamMenu } from './StreamMenu.tsx'
import { detailsHash, streamHash } from './stream-routes.ts'
import { joinStream } from './subscribe.ts'

const pageTexts: Record<PageOf<'stream'>, Key> = {
  general: 'streams.general',
  members: 'streams.members_page',
  mine: 'streams.own_settings',
  permissions: 'streams.permissions',
}

/** The pages about a stream: general, members, own settings, permissions. */
export function StreamDetails() {
  const current = route.value
  if (current.view !== 'stream') return null
  const stream = knownStreams.value.get(current.stream_id)
  if (!stream) return <NoStream stream_id={current.stream_id} />
  return (
    <ViewFrame
      title={`${t(pageTexts[current.page] as 'streams.general')} · ${stream.name}`}
      heading={<StreamHeading stream={stream} href={streamHash(stream)} />}
      actions={<StreamMenu stream={stream} />}
    >
      <div class="StreamDetails">
        <PageLinks
          label={t('streams.details')}
          links={pages.stream.map((page) => ({
            href: detailsHash(stream, page),
            text: t(pageTexts[page] as 'streams.general'),
            isCurrent: page === current.page,
          }))}
        />
        <Page key={`${stream.stream_id} ${current.page}`} stream={stream} page={current.page} />
      </div>
    </ViewFrame>
  )
}

function Page({ stream, page }: { stream: KnownStream; page: PageOf<'stream'> }) {
  const own = streamsById.value.get(stream.stream_id)
  switch (page) {
    case 'general':
      return <GeneralPage stream={stream} />
    case 'members':
      return <MembersPage stream={stream} />
    case 'permissions':
      return <PermissionsPage stream={stream} />
    case 'mine':
      return own ? <OwnSettingsPage stream={own} /> : <Outside stream={stream} />
  }
}

/** Shown to people who are not subscribed, in place of settings that only members have. */
function Outside({ stream }: { stream: KnownStream }) {
  return (
    <Empty icon="settings" title={t('streams.you_are_out')} text={t('streams.no_own_settings')}>
      {canJoin(stream) && (
        <Button look="primary" icon="plus" onClick={() => void joinStream(stream)}>
          {t('streams.join_named', { stream: stream.name })}
        </Button>
      )}
    </Empty>
  )
}
