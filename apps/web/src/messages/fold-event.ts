/** Tells a list that the reader folded or unfolded one of its messages. */
export const foldEvent = 'fold'
