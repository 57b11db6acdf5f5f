/** Abbreviations of zones with their hours east of UTC. `IST` is India's zone, `CST` the American one. */
const hoursByZone =
  'UTC 0 GMT 0 Z 0 WET 0 WEST 1 BST 1 CET 1 CEST 2 MET 1 MEST 2 WAT 1 CAT 2 SAST 2 EET 2 EEST 3 IDT 3 MSK 3 EAT 3 ' +
  'PKT 5 IST 5.5 NPT 5.75 ICT 7 WIB 7 WITA 8 WIT 9 SGT 8 HKT 8 AWST 8 JST 9 KST 9 ACST 9.5 ACDT 10.5 AEST 10 AEDT 11 ' +
  'NZST 12 NZDT 13 NST -3.5 NDT -2.5 ART -3 BRT -3 AST -4 ADT -3 EST -5 EDT -4 CST -6 CDT -5 MST -7 MDT -6 PST -8 ' +
  'PDT -7 AKST -9 AKDT -8 HST -10 HDT -9 SST -11'

const words = hoursByZone.split(' ')
const minutesByZone = new Map(
  words.flatMap((word, at) => (at % 2 === 0 ? [[word, Number(words[at + 1]) * 60] as const] : [])),
)

/** Returns the minutes east of UTC for an abbreviation in capitals. */
export function getZoneOffset(name: string): number | undefined {
  return minutesByZone.get(name)
}
