/** Returns the Markdown that quotes a message. The fence is longer than any fence inside the text. */
export function quoteMessage(
  source: string,
  author: { name: string; user_id: number },
  link: string,
): string {
  const longestFence = Math.max(2, ...Array.from(source.matchAll(/^`+/gm), ([ticks]) => ticks.length))
  const fence = '`'.repeat(longestFence + 1)
  return `@_**${author.name}|${author.user_id}** [said](${link}):\n${fence}quote\n${source.trimEnd()}\n${fence}\n`
}
