/** The article, with the conjunctions and prepositions that are joined to it. */
const prefix = /^(?:و?[فبك]?ال|و?لل)(?=..)/
const conjunction = /^و(?=...)/
/** The accusative ending with the indefinite sign. */
const accusative = /(?:\u0627\u064b|\u064b\u0627)$/
const endings = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ية', 'ه', 'ة', 'ي', 'ا']

/**
 * Removes prefixes and endings from an Arabic word. It is deliberately simple and does not look for
 * roots.
 */
export function stemArabic(word: string): string {
  let stem = word
    .replace(accusative, '')
    .replace(/[\u0640\u064b-\u065f\u0670]/g, '')
    .replace(/[أإآ]/g, 'ا')
    .replace(/ى/g, 'ي')
  const bare = stem.replace(prefix, '')
  stem = bare === stem ? stem.replace(conjunction, '') : bare
  for (const ending of endings) {
    if (stem.endsWith(ending) && stem.length - ending.length >= 3) stem = stem.slice(0, -ending.length)
  }
  return stem
}
