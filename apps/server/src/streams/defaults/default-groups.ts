import {
  ApiError,
  type api,
  countCharacters,
  maxStreamNameLength,
  type ParamsOf,
  type ResponseOf,
} from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { DefaultStreamGroupRow, StreamRow } from '../../platform/database/tables.ts'
import { accessStreamByName } from '../access.ts'
import { changeDefaultStreams } from './default-streams.ts'
import { emitDefaultGroups } from './emit-defaults.ts'
import {
  deleteDefaultGroup,
  deleteGroupStreams,
  findDefaultGroup,
  insertDefaultGroup,
  insertGroupStreams,
  listDefaultGroups,
  listDefaultStreams,
  updateDefaultGroup,
} from './queries.ts'

type Defaults = typeof api.defaultStreams

export async function createDefaultGroup(
  app: App,
  actor: Actor,
  params: ParamsOf<Defaults['createGroup']>,
): Promise<ResponseOf<Defaults['createGroup']>> {
  return changeGroups(app, actor, async (tx) => {
    const streams = await accessStreams(tx, actor, params.stream_names)
    await refuseDefaultStreams(tx, actor, streams, params.group_name)
    const name = checkGroupName(params.group_name)
    const { organization_id } = actor
    const group = await insertDefaultGroup(tx, { organization_id, name, description: params.description })
    await insertGroupStreams(tx, group, getIds(streams))
    return { id: group.id }
  })
}

export async function updateGroup(
  app: App,
  actor: Actor,
  params: ParamsOf<Defaults['updateGroup']>,
): Promise<object> {
  const { new_group_name, new_description } = params
  if (!new_group_name && !new_description) throw new ApiError('DEFAULT_GROUP_NOTHING_TO_CHANGE')
  return changeGroups(app, actor, async (tx) => {
    const group = await accessGroup(tx, actor, params.group_id)
    const name = new_group_name ? checkGroupName(new_group_name) : undefined
    if (name === group.name) throw new ApiError('DEFAULT_GROUP_HAS_THAT_NAME', { name })
    await updateDefaultGroup(tx, group, {
      ...(name && { name }),
      ...(new_description && { description: new_description }),
    })
    return {}
  })
}

export async function changeGroupStreams(
  app: App,
  actor: Actor,
  params: ParamsOf<Defaults['changeGroupStreams']>,
): Promise<object> {
  return changeGroups(app, actor, async (tx) => {
    const group = await accessGroup(tx, actor, params.group_id)
    const streams = await accessStreams(tx, actor, params.stream_names)
    const groups = await listDefaultGroups(tx, actor.organization_id)
    const present = new Set(groups.find(({ id }) => id === group.id)?.streams.map(({ id }) => id))
    if (params.op === 'add') {
      await refuseDefaultStreams(tx, actor, streams, group.name)
      const twice = streams.find(({ id }) => present.has(id))
      if (twice) throw new ApiError('STREAM_ALREADY_IN_GROUP', { stream: twice.name, group: group.name })
      await insertGroupStreams(tx, group, getIds(streams))
    } else if (params.op === 'remove') {
      const missing = streams.find(({ id }) => !present.has(id))
      if (missing) throw new ApiError('STREAM_NOT_IN_GROUP', { stream: missing.name, group: group.name })
      await deleteGroupStreams(tx, group, getIds(streams))
    } else throw new ApiError('DEFAULT_GROUP_OP_INVALID')
    return {}
  })
}

export async function removeDefaultGroup(
  app: App,
  actor: Actor,
  params: ParamsOf<Defaults['removeGroup']>,
): Promise<object> {
  return changeGroups(app, actor, async (tx) => {
    await deleteDefaultGroup(tx, await accessGroup(tx, actor, params.group_id))
    return {}
  })
}

function changeGroups<Result>(app: App, actor: Actor, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return changeDefaultStreams(app, actor, async (tx) => {
    const done = await work(tx)
    await emitDefaultGroups(tx, actor.organization_id)
    return done
  })
}

async function accessGroup(
  tx: Tx,
  actor: Actor,
  id: DefaultStreamGroupRow['id'],
): Promise<DefaultStreamGroupRow> {
  const group = await findDefaultGroup(tx, actor.organization_id, id)
  if (!group) throw new ApiError('DEFAULT_GROUP_NOT_FOUND', { id })
  return group
}

/** Loads the named streams, without duplicates. */
async function accessStreams(tx: Tx, actor: Actor, names: readonly string[]): Promise<StreamRow[]> {
  const streams = new Map<number, StreamRow>()
  for (const name of names) {
    const stream = await accessStreamByName(tx, actor, name)
    streams.set(stream.id, stream)
  }
  return [...streams.values()]
}

/** Throws if one of the streams is a default stream, which every new user joins anyway. */
async function refuseDefaultStreams(
  tx: Tx,
  actor: Actor,
  streams: readonly StreamRow[],
  group: string,
): Promise<void> {
  const defaults = new Set(getIds(await listDefaultStreams(tx, actor.organization_id)))
  const found = streams.find(({ id }) => defaults.has(id))
  if (found) throw new ApiError('IS_DEFAULT_STREAM', { stream: found.name, group })
}

function checkGroupName(name: string): string {
  if (name.trim() === '') throw new ApiError('DEFAULT_GROUP_NAME_INVALID', { name })
  if (countCharacters(name) > maxStreamNameLength) throw new ApiError('DEFAULT_GROUP_NAME_TOO_LONG')
  if (name.includes('\0')) throw new ApiError('DEFAULT_GROUP_NAME_HAS_NUL', { name })
  return name
}

const getIds = (streams: readonly StreamRow[]) => streams.map(({ id }) => id)
