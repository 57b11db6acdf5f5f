import { contentWords, senderWord, topicWord, topicWords } from '@oxbow/search'
import { foldTopic } from '../../streams/names.ts'

/** Lists the words of the column `words`: those of the content, and one for the sender. */
export function listContentWords(sender_id: number, html: string): number[] {
  return [...contentWords(html), senderWord(sender_id)]
}

export function listTopicWords(topic: string): number[] {
  return topic === '' ? [] : [...topicWords(topic), topicWord(foldTopic(topic))]
}
