/**
 * The parts of a page that a preview shows. The texts are cleaned plain text; missing texts are
 * empty.
 */
export interface Page {
  title: string
  description: string
  /** HTTP or HTTPS URL of a picture on another server. */
  image: string
}

export const emptyPage: Page = { title: '', description: '', image: '' }

/** Returns whether a preview would show more than the link itself. */
export const isWorthShowing = ({ title, description }: Page): boolean => title !== '' || description !== ''
