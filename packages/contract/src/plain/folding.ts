/**
 * Returns the form in which stream names are compared: without surrounding spaces and in lower
 * case.
 */
export const foldName = (name: string): string => name.trim().toLowerCase()

/** Returns the form in which topics are compared. */
export const foldTopic = (topic: string): string => topic.toLowerCase()
