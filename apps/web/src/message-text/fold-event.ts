/** Name of the event that notifies a list when one of its messages was collapsed or expanded. */
export const foldEvent = 'fold'
