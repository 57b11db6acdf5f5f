import { useEffect, useState } from 'preact/hooks'

/** A message whose answer takes longer gets a clock. */
const slowMs = 3_000

/** Whether more than three seconds have gone since a time. */
export function useIsSlow(since: number): boolean {
  const [isSlow, setSlow] = useState(Date.now() - since > slowMs)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), Math.max(since + slowMs - Date.now(), 0))
    return () => clearTimeout(timer)
  }, [since])
  return isSlow
}
