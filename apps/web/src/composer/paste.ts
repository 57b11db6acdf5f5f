/** The files of a paste or a drop. A picture of the clipboard gets a name with the date. */
export function listFiles(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].map((file) => (isUnnamed(file) ? nameByDate(file) : file))
}

/** Browsers call each picture that was copied the same. */
const isUnnamed = ({ name }: File): boolean => name === '' || name === 'image.png'

function nameByDate(file: File): File {
  const time = new Date().toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.')
  const ending = file.type.split('/')[1]?.replace(/\W.*/, '') ?? 'png'
  return new File([file], `${time}.${ending}`, { type: file.type })
}

/** Returns the URL of a paste that is nothing but one. */
export function readUrl(data: DataTransfer | null): string | undefined {
  const text = data?.getData('text/plain').trim() ?? ''
  return /^https?:\/\/[^\s]+$/.test(text) ? text : undefined
}
