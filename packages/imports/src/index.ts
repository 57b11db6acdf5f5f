export { openArchive } from './archive/open-archive.ts'
export { readPeopleList } from './csv/people-list.ts'
export { openSource, type System } from './open-source.ts'
export { defaultOptions, type ImportOptions } from './pipeline/options.ts'
export { runImport } from './pipeline/run-import.ts'
export {
  type CopiedFile,
  type ExportFields,
  type FileToCopy,
  type ImportSink,
  nowhere,
} from './pipeline/sink.ts'
export { makeReport, type Report } from './report/report.ts'
export { reportHtml } from './report/report-html.ts'
export { reportText } from './report/report-text.ts'
export { describeShape } from './report/shape.ts'
export { isTimeZone } from './text/moments.ts'
