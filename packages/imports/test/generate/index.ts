export {
  makeTeam,
  type Profile,
  profiles,
  type Team,
  type TeamMessage,
  type TeamPerson,
  type TeamPlace,
} from './team.ts'
export { writeCsv } from './write-csv.ts'
export { makeZip, type ZipFile } from './zip.ts'
