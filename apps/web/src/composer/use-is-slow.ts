import { useEffect, useState } from 'preact/hooks'

/** A message that is not confirmed within this time gets a clock icon. */
const slowMs = 3_000

/** Returns whether more than `slowMs` have passed since the given time. */
export function useIsSlow(since: number): boolean {
  const [isSlow, setSlow] = useState(Date.now() - since > slowMs)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), Math.max(since + slowMs - Date.now(), 0))
    return () => clearTimeout(timer)
  }, [since])
  return isSlow
}
