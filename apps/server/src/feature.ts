import type { Api } from '@oxbow/contract'
import type { EventShape } from './events/event-shape.ts'
import type { StateSlice } from './events/state-slice.ts'
import type { App } from './platform/app.ts'
import type { BackgroundMigration } from './platform/database/background/background-migration.ts'
import type { AllReferences } from './platform/files/check-files.ts'
import type { Routes } from './platform/http/bind.ts'
import type { Page } from './platform/http/http-server.ts'
import type { Job } from './platform/jobs/jobs.ts'
import type { SealedColumn } from './platform/secrets/reseal.ts'

/**
 * Everything that a feature adds to the server. Each feature declares it in a file `feature.ts`;
 * `features.ts` lists all features.
 */
export interface Feature {
  /** Actions by group of the contract. Two features may share a group, with different actions. */
  readonly routes?: { readonly [Group in keyof Api]?: Partial<Routes<Api[Group]>> }
  /** Pages for browsers, and files that are served outside the API. */
  readonly pages?: (app: App) => readonly Page[]
  /** Parts of the state that `register` returns. */
  readonly state?: readonly StateSlice[]
  /**
   * Shapes of event types that are rendered differently for each queue, or are stored in another
   * form than they are sent.
   */
  readonly eventShapes?: (app: Pick<App, 'config' | 'secrets'>) => readonly EventShape[]
  readonly jobs?: readonly Job<never>[]
  /** Changes of many rows that nodes make in batches while they serve requests. */
  readonly backgroundMigrations?: readonly BackgroundMigration[]
  /** Starts work that continues until the node stops. */
  readonly start?: (app: App) => Work
  /** Queries for the keys of files that rows refer to; `oxbow files check` compares them with the store. */
  readonly files?: Partial<AllReferences>
  /** Folders of the file store whose subfolders are organization ids, such as `avatars`. */
  readonly fileFolders?: readonly string[]
  /** Columns with sealed texts. They are sealed again when the secret changes. */
  readonly seals?: readonly SealedColumn[]
}

export interface Work {
  stop(): Promise<void>
}
