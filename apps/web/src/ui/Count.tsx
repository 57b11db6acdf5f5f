import './Count.css'

export interface CountProps {
  count: number
  /** The count in words, for screen readers. */
  label: string
  /**
   * `about-you` is for mentions and private messages, `muted` for muted messages and for numbers
   * other than unread counts, such as drafts.
   */
  look?: 'usual' | 'about-you' | 'muted'
}

/** A small rounded badge with a number, or nothing if the number is 0. */
export function Count({ count, label, look = 'usual' }: CountProps) {
  if (count === 0) return null
  return (
    <span class={`Count Count-${look}`}>
      <span aria-hidden="true">{count > 999 ? '999+' : count}</span>
      <span class="Spoken">{label}</span>
    </span>
  )
}
