import { readPageStyles, readReferenceStyles, type StyleSheet } from '@oxbow/look'

/** A style sheet whose URL changes with its text. */
export interface ServedStyles {
  url: string
  text: string
}

const served = ({ fileName, text }: StyleSheet): ServedStyles => ({ url: `/assets/${fileName}`, text })

/** The style sheet of all pages. */
export const pageStyles = served(readPageStyles())

/** The style sheet of the documentation. */
export const referenceStyles = served(readReferenceStyles())
