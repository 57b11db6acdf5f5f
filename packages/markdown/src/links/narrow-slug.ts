const leftByEncodeUriComponent = /[.!'()*]/g

/** Encodes a text for a URL fragment: percent-encoding with dots instead of percent signs. */
export function encodeHashComponent(text: string): string {
  return encodeURIComponent(text)
    .replace(
      leftByEncodeUriComponent,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
    )
    .replaceAll('%', '.')
}

/** Decodes a result of `encodeHashComponent`. Returns undefined for other texts. */
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
