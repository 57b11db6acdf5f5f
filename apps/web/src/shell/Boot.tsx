import { useEffect, useState } from 'preact/hooks'
import { connection } from '../client/connection.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'

/** The screen before the state is loaded: the logo, and why the server does not respond. */
export function Boot() {
  const { value } = connection
  return (
    <main class="Boot">
      <div class="Boot-mark" />
      {value.status === 'refused' ? (
        <>
          <p class="Boot-text" role="alert">
            {t('boot.refused', { reason: value.reason })}
          </p>
          <Button look="primary" onClick={() => location.reload()}>
            {t('boot.reload')}
          </Button>
        </>
      ) : value.status === 'troubled' ? (
        <Waiting until={value.retryAt} />
      ) : (
        <>
          <div class="Boot-bar" />
          <p class="Spoken" role="status">
            {t('boot.starting')}
          </p>
        </>
      )}
    </main>
  )
}

function Waiting({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(1, Math.ceil((until - now) / 1000))
  return <p class="Boot-text">{t('boot.no_answer', { seconds })}</p>
}
