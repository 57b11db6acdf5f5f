/** Kinds of values that a custom profile field can have. */
export const FieldType = {
  shortText: 1,
  longText: 2,
  choice: 3,
  date: 4,
  url: 5,
  people: 6,
  externalAccount: 7,
} as const
export type FieldType = (typeof FieldType)[keyof typeof FieldType]
