import './Avatar.css'
import { useState } from 'preact/hooks'

/**
 * The avatar of a person, or the initials while the picture is missing. The name must be beside it
 * as text.
 */
export function Avatar({ url, name, size = 'm' }: { url: string; name: string; size?: 's' | 'm' | 'l' }) {
  const [failed, setFailed] = useState('')
  const isShown = url !== '' && failed !== url
  return (
    <span class={`Avatar Avatar-${size}`} aria-hidden="true">
      {isShown ? (
        <img src={url} alt="" loading="lazy" decoding="async" onError={() => setFailed(url)} />
      ) : (
        initialsOf(name)
      )}
    </span>
  )
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0]?.toLocaleUpperCase() ?? '')
    .join('')
}
