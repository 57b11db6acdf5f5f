import { foldTopic } from '@oxbow/contract'
import { getSenderTerm, getTopicTerm, listContentTerms, listTopicTerms } from '@oxbow/search'

/**
 * Lists the words for the column `words`: the words of the content, and one word for the sender.
 */
export function listContentWords(sender_id: number, html: string): number[] {
  return [...listContentTerms(html), getSenderTerm(sender_id)]
}

export function listTopicWords(topic: string): number[] {
  return topic === '' ? [] : [...listTopicTerms(topic), getTopicTerm(foldTopic(topic))]
}
