import './Avatar.css'
import { getInitials, getInitialsColors } from '@oxbow/contract/plain'
import { useState } from 'preact/hooks'

interface AvatarProperties {
  user_id: number
  /** Empty if the person has not uploaded a picture. */
  url: string
  name: string
  size?: 's' | 'm' | 'l'
}

/**
 * The avatar of a person: the picture, or the initials like in the picture that the server would draw. The style
 * sheet writes the initials, so that they are not part of the texts that people select, copy and search.
 */
export function Avatar({ user_id, url, name, size = 'm' }: AvatarProperties) {
  const [failed, setFailed] = useState('')
  const { start, end } = getInitialsColors(user_id)
  const isPicture = url !== '' && failed !== url && !isDrawnPicture(url)
  return isPicture ? (
    <span class={`Avatar Avatar-${size}`} aria-hidden="true">
      <img src={url} alt="" loading="lazy" decoding="async" onError={() => setFailed(url)} />
    </span>
  ) : (
    <span
      class={`Avatar Avatar-${size} Avatar-initials`}
      style={{ '--initials-start': start, '--initials-end': end }}
      data-initials={getInitials(name)}
      aria-hidden="true"
    />
  )
}

const isDrawnPicture = (url: string): boolean => /\.svg(\?|$)/.test(url)
