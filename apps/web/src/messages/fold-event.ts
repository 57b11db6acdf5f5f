/** Tells a list that one of its messages was collapsed or expanded. */
export const foldEvent = 'fold'
