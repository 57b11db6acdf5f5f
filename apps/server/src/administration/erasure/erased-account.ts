/** The name of every account whose person's data was erased. */
export const erasedName = 'Deleted user'

/** Returns an address at which nobody gets mail. It is different for each account, as addresses must be. */
export const erasedAddress = (id: number): string => `deleted-user-${id}@erased.invalid`
