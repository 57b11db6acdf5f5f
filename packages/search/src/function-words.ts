const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Function words identify the language of a text. English ones are also the stop words of queries. */
export const englishFunctionWords = words(`
  a an the and or but if then than so as at by for from in into of off on onto out over to up with without about above
  after again against all am any are because been before being below between both can did do does doing down during each
  few further had has have having he her here hers him his how i is it its just me more most my no nor not now once only
  other our ours own same she should some such that their them there these they this those through too under until very
  was we were what when where which while who whom why will would you your yours`)

export const germanFunctionWords = words(`
  aber alle als am an auch auf aus bei beim bin bis bist da damit dann das dass dein dem den der des die dies diese diesem
  diesen dieser doch du durch ein eine einem einen einer eines er es für gegen hat hatte haben hier ich ihr im in ist
  ja jetzt kann kein keine mal man mehr mein mich mir mit nach nicht nichts noch nun nur ob oder ohne schon sehr sein seit
  sich sie sind so soll um und uns unser vom von vor war waren was weil wenn wer wie wir wird wurde zu zum zur über`)

const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index))

/** All words for which `isStopWord` is true, in ascending order. */
export const stopWords: readonly string[] = [...new Set([...englishFunctionWords, ...letters])].sort()

/**
 * Returns whether a word is dropped from a query that has other words, because nearly all messages
 * contain it.
 */
export function isStopWord(word: string): boolean {
  return englishFunctionWords.has(word) || /^[a-z]$/.test(word)
}
