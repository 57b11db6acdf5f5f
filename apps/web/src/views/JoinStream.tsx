import { useState } from 'preact/hooks'
import { client } from '../data/client.ts'
import { findStreamName } from '../data/streams.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'

/** Stands in the place of the composer in streams that the reader is not in. */
export function JoinStream({ stream_id }: { stream_id: number }) {
  const [refusal, setRefusal] = useState('')
  const name = findStreamName(stream_id)
  const join = () =>
    client.subscriptions.subscribe({ subscriptions: [{ name: name ?? '' }] }).catch((error: Error) => {
      setRefusal(error.message)
    })
  // Streams that the reader may not see have no name here.
  if (name === undefined) return null
  return (
    <div class="JoinStream">
      <span role="status">{refusal || t('messages.not_in_stream')}</span>
      <Button look="primary" icon="plus" onClick={() => void join()}>
        {t('messages.join', { stream: name })}
      </Button>
    </div>
  )
}
