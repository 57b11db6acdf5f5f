import { readPageStyles } from '@oxbow/look'

const { fileName, text } = readPageStyles()

/** The style sheet of all pages. Its URL changes with its text. */
export const pageStyles = { url: `/assets/${fileName}`, text }
