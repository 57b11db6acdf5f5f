/** The parts of a page that a preview shows. Texts are plain and clean; missing ones are empty. */
export interface Page {
  title: string
  description: string
  /** URL of a picture elsewhere, with http or https. */
  image: string
}

export const emptyPage: Page = { title: '', description: '', image: '' }

/** Returns whether a preview would tell a reader more than the link does. */
export const isWorthShowing = ({ title, description }: Page): boolean => title !== '' || description !== ''
