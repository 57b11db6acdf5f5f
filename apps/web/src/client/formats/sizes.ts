import { locale } from './locale.ts'

const units = [
  { unit: 'megabyte', bytes: 1_000_000, maximumFractionDigits: 1 },
  { unit: 'kilobyte', bytes: 1_000, maximumFractionDigits: 0 },
] as const

/** Formats a number of bytes in the unit that suits it, like 1.2 MB. Reads a signal. */
export function formatSize(size: number): string {
  const { unit, bytes, maximumFractionDigits } = units.find(({ bytes }) => size >= bytes) ?? {
    unit: 'byte',
    bytes: 1,
    maximumFractionDigits: 0,
  }
  // The short form of a byte is not inflected.
  const unitDisplay = unit === 'byte' ? 'long' : 'short'
  const options = { style: 'unit', unit, unitDisplay, maximumFractionDigits } as const
  return new Intl.NumberFormat(locale.value, options).format(size / bytes)
}
