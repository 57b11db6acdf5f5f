/**
 * Runs `work` for every item in order, even if some fail. If any failed, throws at the end one error with the
 * number of failures and the first reason.
 */
export async function settleEach<Item>(
  description: string,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = []
  for (const item of items) await work(item).catch((error: unknown) => errors.push(error))
  if (errors.length === 0) return
  const [first] = errors
  throw new AggregateError(
    errors,
    `failed for ${errors.length} of ${items.length} ${description}: ${(first as Error).message}`,
    { cause: first },
  )
}
