/** Returns a part of the HTML of all mentions of a person, by which messages are found. */
export const mentionMark = (user_id: number): string => `data-user-id="${user_id}"`
