import type { StreamId } from '@oxbow/contract'
import { canJoin } from '../client/streams/stream-directory.ts'
import { knownStreams } from '../client/streams/streams.ts'
import { WhyNot } from '../frame/WhyNot.tsx'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { joinStream } from './subscribe.ts'

/** Shown in place of the composer in streams that the user is not subscribed to. */
export function JoinStream({ stream_id }: { stream_id: StreamId }) {
  const stream = knownStreams.value.get(stream_id)
  // The state does not include streams that the user may not see.
  if (!stream) return null
  const join = t('messages.join', { stream: stream.name })
  return (
    <div class="JoinStream">
      <span role="status">{canJoin(stream) ? t('messages.not_in_stream') : t('streams.you_are_out')}</span>
      {canJoin(stream) ? (
        <Button look="primary" icon="plus" onClick={() => void joinStream(stream)}>
          {join}
        </Button>
      ) : (
        <WhyNot subject={join} action="subscribe" about={{ stream_id }} />
      )}
    </div>
  )
}
