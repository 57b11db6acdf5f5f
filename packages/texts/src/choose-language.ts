/**
 * Chooses a language by the preferences in an `Accept-Language` header, like `de-AT,en;q=0.8`.
 * Regional variants are treated as their language. Returns the first language if none is accepted.
 */
export function chooseLanguage<Language extends string>(
  accepted: string | undefined,
  [first, ...others]: readonly [Language, ...Language[]],
): Language {
  const languages = [first, ...others]
  const preferences = (accepted ?? '')
    .slice(0, maxHeaderLength)
    .split(',')
    .map(readPreference)
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
  for (const { language } of preferences) {
    if (language === '*') return first
    const found = languages.find((knownLanguage) => knownLanguage === language)
    if (found) return found
  }
  return first
}

/** Characters beyond this length are ignored. Browsers send shorter headers. */
const maxHeaderLength = 300

function readPreference(text: string): { language: string; quality: number } {
  const [tag = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return { language: tag.split('-')[0] ?? '', quality: quality === undefined ? 1 : Number(quality) || 0 }
}
