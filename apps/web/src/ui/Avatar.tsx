import './Avatar.css'
import { getInitials, getInitialsHue } from '@oxbow/contract/plain'
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
  const isPicture = url !== '' && failed !== url && !isDrawnPicture(url)
  return isPicture ? (
    <span class={`Avatar Avatar-${size}`} aria-hidden="true">
      <img src={url} alt="" loading="lazy" decoding="async" onError={() => setFailed(url)} />
    </span>
  ) : (
    <span
      class={`Avatar Avatar-${size} Avatar-initials`}
      style={colorsOf(user_id)}
      data-initials={getInitials(name)}
      aria-hidden="true"
    />
  )
}

/** The colours of the picture that the server would draw. They do not depend on the theme, so they are no tokens. */
function colorsOf(user_id: number) {
  const hue = getInitialsHue(user_id)
  return {
    '--initials-start': `hsl(${hue}, 52%, 52%)`,
    '--initials-end': `hsl(${(hue + 24) % 360}, 56%, 38%)`,
  }
}

const isDrawnPicture = (url: string): boolean => /\.svg(\?|$)/.test(url)
