/**
 * Runs the child's side of a `LazyProcess`: one answer for each question. Exits when the parent
 * disconnects.
 */
export function answerParent<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  process.on('disconnect', () => process.exit())
  process.on('message', async (question: Question) => process.send?.(await answer(question)))
  process.send?.('ready')
}
