const leftByEncodeUriComponent = /[.!'()*]/g

/**
 * Percent-encoding with dots for percent signs, so that the result survives inside a URL fragment.
 */
export function encodeHashComponent(text: string): string {
  return encodeURIComponent(text)
    .replace(
      leftByEncodeUriComponent,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    )
    .replaceAll('%', '.')
}

/** Reverts `encodeHashComponent`; returns undefined if the text is not a result of it. */
export function decodeHashComponent(component: string): string | undefined {
  try {
    return decodeURIComponent(component.replaceAll('.', '%'))
  } catch {
    return undefined
  }
}

export function streamHref(stream: { id: number; name: string }): string {
  return `/#narrow/stream/${stream.id}-${encodeHashComponent(stream.name.replaceAll(' ', '-'))}`
}

export function topicHref(stream: { id: number; name: string }, topic: string): string {
  return `${streamHref(stream)}/topic/${encodeHashComponent(topic)}`
}
