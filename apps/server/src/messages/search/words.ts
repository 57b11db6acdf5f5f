import { foldTopic } from '@oxbow/contract'
import { getSenderTerm, getTopicTerm, listContentTerms, listTopicTerms } from '@oxbow/search'

/** Lists the words of the column `words`: those of the content, and one for the sender. */
export function listContentWords(sender_id: number, html: string): number[] {
  return [...listContentTerms(html), getSenderTerm(sender_id)]
}

export function listTopicWords(topic: string): number[] {
  return topic === '' ? [] : [...listTopicTerms(topic), getTopicTerm(foldTopic(topic))]
}
