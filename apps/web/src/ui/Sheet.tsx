import { Dialog, type DialogProps } from './Dialog.tsx'

/**
 * A modal pane at the side of the browser window, or at the bottom on phones, for details and long
 * forms.
 */
export function Sheet(properties: Omit<DialogProps, 'look'>) {
  return <Dialog {...properties} look="sheet" />
}
