import { ApiError, type api, type DisplaySettings, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { changeDisplay } from './update-display.ts'

type Run = typeof api.settings.runCommand

interface Mode {
  setting: Pick<Partial<DisplaySettings>, 'color_scheme' | 'fluid_layout_width'>
  /** The name of the mode in the response text. */
  text: string
  /** The command that reverts the mode. */
  opposite: string
}

const nightScheme = 2
const dayScheme = 3

/** Commands that change a display setting. */
const modes: ReadonlyMap<string, Mode> = new Map([
  ['night', { setting: { color_scheme: nightScheme }, text: 'night', opposite: 'day' }],
  ['day', { setting: { color_scheme: dayScheme }, text: 'day', opposite: 'night' }],
  ['fluid-width', { setting: { fluid_layout_width: true }, text: 'fluid width', opposite: 'fixed-width' }],
  ['fixed-width', { setting: { fluid_layout_width: false }, text: 'fixed width', opposite: 'fluid-width' }],
])

export async function runCommand(
  app: App,
  actor: Actor,
  { command }: ParamsOf<Run>,
): Promise<ResponseOf<Run>> {
  if (!command.startsWith('/')) throw new ApiError('COMMAND_WITHOUT_SLASH')
  const name = command.slice(1)
  if (name === 'ping') return {}
  const mode = modes.get(name)
  if (!mode) throw new ApiError('COMMAND_UNKNOWN', { name })
  const { setting, text, opposite } = mode
  return writeAs(app, actor, async (tx) => {
    const changed = await changeDisplay(app, tx, actor, setting)
    if (Object.keys(changed).length === 0) return { msg: `You are still in ${text} mode.` }
    return { msg: `Changed to ${name} mode! To revert ${name} mode, type \`/${opposite}\`.` }
  })
}
