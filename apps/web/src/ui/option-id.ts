/** Returns the id of an option of a list, for `aria-activedescendant` of the control that has the focus. */
export const optionId = (list: string, index: number): string => `${list}-${index}`
