/** The other end of a `LazyProcess`: one answer for each question, and an end when nobody can ask any more. */
export function answerParent<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  process.on('disconnect', () => process.exit())
  process.on('message', async (question: Question) => process.send?.(await answer(question)))
  process.send?.('ready')
}
