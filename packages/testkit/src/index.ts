export type { Account } from './account.ts'
export { startAlertmanager } from './alertmanager.ts'
export {
  type BrowserSession,
  resumeSession,
  signIn,
} from './browser-session.ts'
export { callOverPool } from './call-over-pool.ts'
export { hasExited, killChild, startChild } from './child-process.ts'
export { createTestDatabase, type TestDatabase, testSecret } from './databases.ts'
export { type DnsServer, startDnsServer } from './dns-server.ts'
export { type EventSource, openEventStream } from './event-source.ts'
export { eventually } from './eventually.ts'
export { startFailoverDatabase } from './failover-database.ts'
export { hasFakeClock, makeFakeClock } from './fake-clock.ts'
export * as faults from './faults.ts'
export { fetchAt } from './fetch-at.ts'
export { type ChromiumOptions, chromiumFlags, findChromium } from './find-chromium.ts'
export { type Fleet, type FleetCheck, startFleet } from './fleet.ts'
export { freePort } from './free-port.ts'
export { basic, type RawRequest, type RawResponse, request } from './http.ts'
export { isInstalled } from './is-installed.ts'
export { LogCapture } from './log-capture.ts'
export { type MailServer, type ReceivedEmail, startMailServer } from './mail-server.ts'
export { measureOxbow, readProcessorSeconds } from './measure-oxbow.ts'
export { startNatsServer } from './nats-server.ts'
export { launchNodeProcess, metricsToken, type NodeProcess, startNodeProcess } from './node-process.ts'
export { type OpenedQueue, openQueue } from './open-queue.ts'
export { oxbowProgram } from './oxbow-program.ts'
export { startPgBouncer } from './pgbouncer.ts'
export { pngOf } from './picture.ts'
export { postFrom } from './post-from.ts'
export { copyPostgres18 } from './postgres-18.ts'
export { type PostgresServer, startPostgresServer } from './postgres-server.ts'
export { loadPreviousRelease, unpackFiles } from './previous-release.ts'
export { startPrometheus } from './prometheus.ts'
export { repeatIfSlowed } from './repeat-if-slowed.ts'
export { type S3Config, type S3Server, s3Environment, startS3Server } from './s3-server.ts'
export { expectSameReactions } from './same-reactions.ts'
export { drainQueue, expectSameState, type Registration } from './same-state.ts'
export { expectSameSubmessages } from './same-submessages.ts'
export {
  fillSampleOrganization,
  type SentSample,
  setSampleTimes,
} from './sample/fill-organization.ts'
export { mountSmallDisk } from './small-disk.ts'
export { type Stopwatch, startStopwatch } from './stopwatch.ts'
export { startDatabaseProxy, startTcpProxy, type TcpProxy } from './tcp-proxy.ts'
export { urlOf } from './test-postgres.ts'
export { type NodeName, patientLimits } from './test-server.ts'
export {
  downloadChunks,
  repeatChunk,
  type UploadResponse,
  uploadChunks,
} from './transfer-files.ts'
export { makeHeldPage, type SitePage, startWebSite, type WebSite } from './web-site.ts'
export { createGarden, withApp } from './with-app.ts'
export {
  hostOf,
  type MadeStream,
  type Person,
  type StreamOptions,
  startWorld,
  type World,
  type WorldOptions,
} from './world.ts'
