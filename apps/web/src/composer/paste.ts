import { localTimeOf } from '../client/formats/local-time.ts'

/** Returns the files of a paste or a drop. A picture from the clipboard is named after the date. */
export function listFiles(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].map((file) => (isUnnamed(file) ? nameByDate(file) : file))
}

/** Returns the files of a paste, without the picture that spreadsheets and word processors add to copied text. */
export function listPastedFiles(data: DataTransfer | null): File[] {
  const isText = ['text/plain', 'text/html'].every((type) => data?.getData(type))
  return isText && [...(data?.files ?? [])].every(isUnnamed) ? [] : listFiles(data)
}

/** Browsers give every copied picture the same name. */
const isUnnamed = ({ name }: File): boolean => name === '' || name === 'image.png'

function nameByDate(file: File): File {
  const time = localTimeOf(Date.now()).replace('T', ' ').replaceAll(':', '.')
  const ending = file.type.split('/')[1]?.replace(/\W.*/, '') ?? 'png'
  return new File([file], `${time}.${ending}`, { type: file.type })
}

/** Returns the URL of a paste that consists of a single URL. */
export function readUrl(data: DataTransfer | null): string | undefined {
  const text = data?.getData('text/plain').trim() ?? ''
  return /^https?:\/\/[^\s]+$/.test(text) ? text : undefined
}
