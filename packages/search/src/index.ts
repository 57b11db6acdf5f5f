export { type Highlighted, highlight, showPlain } from './highlight.ts'
export { type MessageText, matchMessage } from './match.ts'
export { parseQuery, type SearchQuery } from './query.ts'
export { contentWords, senderWord, topicWord, topicWords } from './words.ts'
