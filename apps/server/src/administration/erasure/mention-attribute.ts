/** Returns a part of the HTML of all mentions of a person, by which messages are found. */
export const mentionAttribute = (user_id: number): string => `data-user-id="${user_id}"`
