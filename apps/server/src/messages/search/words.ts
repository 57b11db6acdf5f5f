import { contentWords, senderWord, topicWord, topicWords } from '@oxbow/search'
import { foldTopic } from '../../streams/names.ts'

/** What a message is found by, as the columns `words` and `topic_words` have it. */
export function wordsOfContent(sender_id: number, html: string): number[] {
  return [...contentWords(html), senderWord(sender_id)]
}

export function wordsOfTopic(topic: string): number[] {
  return topic === '' ? [] : [...topicWords(topic), topicWord(foldTopic(topic))]
}
