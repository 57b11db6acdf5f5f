import './OfflineBar.css'
import { useEffect, useState } from 'preact/hooks'
import { connection } from '../client/connection.ts'
import { formatTime } from '../client/formats/dates.ts'
import { t } from '../text/t.ts'
import { Icon } from '../ui/Icon.tsx'

/** Shorter interruptions are not shown. */
const minOutageMs = 5_000

/** Shows above the panes that the connection is lost; the client stays usable. */
export function OfflineBar() {
  const { value } = connection
  const isLong = useHasPassed(value.status === 'troubled' ? value.since + minOutageMs : undefined)
  if (value.status === 'refused')
    return (
      <div class="OfflineBar OfflineBar-ended" role="alert">
        {t('connection.refused', { reason: value.reason })}
      </div>
    )
  if (value.status !== 'troubled' || !isLong) return null
  const time = formatTime(value.since)
  return (
    <div class="OfflineBar" role="status">
      <Icon name="wifi-off" />
      {navigator.onLine ? t('connection.troubled', { time }) : t('connection.offline', { time })}
    </div>
  )
}

/** Returns whether a time has passed, and renders again when it has. */
function useHasPassed(time: number | undefined): boolean {
  const [, setNow] = useState(0)
  useEffect(() => {
    if (time === undefined) return
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, time - Date.now()))
    return () => clearTimeout(timer)
  }, [time])
  return time !== undefined && Date.now() >= time
}
