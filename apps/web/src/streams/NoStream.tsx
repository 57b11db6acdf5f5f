import type { StreamId } from '@oxbow/contract'
import { ViewFrame } from '../frame/ViewFrame.tsx'
import { WhyNot } from '../frame/WhyNot.tsx'
import { t } from '../text/t.ts'
import { Empty } from '../ui/Empty.tsx'

/** Shows that a stream does not exist or is hidden; the client cannot distinguish the two. */
export const NoStreamText = ({ stream_id }: { stream_id?: StreamId | undefined }) => (
  <Empty icon="circle-question-mark" title={t('messages.no_such')} text={t('messages.no_such_hint')}>
    {stream_id !== undefined && (
      <WhyNot subject={t('messages.no_such')} action="see_stream" about={{ stream_id }} />
    )}
    <a href="#streams/all">{t('nav.browse')}</a>
  </Empty>
)

/** The view of an unknown stream. */
export const NoStream = ({ stream_id }: { stream_id?: StreamId | undefined }) => (
  <ViewFrame title={t('streams.title')}>
    <NoStreamText stream_id={stream_id} />
  </ViewFrame>
)
