/**
 * Runs the child's side of a `LazyProcess`: answers each question. The process exits when the parent
 * disconnects.
 */
export function serveParentProcess<Question, Result>(answer: (question: Question) => Promise<Result>): void {
  process.on('disconnect', () => process.exit())
  process.on('message', async (question: Question) => process.send?.(await answer(question)))
  process.send?.('ready')
}
