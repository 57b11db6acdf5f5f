import type { MeasuredPage } from '../../../apps/web/test/figures/measured-page.ts'
import { print } from '../figures.ts'
import { type Profile, topFunctions } from '../probe/top-functions.ts'

/**
 * Runs an action. With a `title`, prints the functions of the page that took most processor time
 * meanwhile.
 */
export async function profilePage<Result>(
  { cdp }: MeasuredPage,
  title: string | undefined,
  act: () => Promise<Result>,
): Promise<Result> {
  if (title === undefined) return act()
  await cdp.send('Profiler.enable')
  await cdp.send('Profiler.start')
  const result = await act()
  const { profile } = await cdp.send('Profiler.stop')
  print(`${title}:\n${topFunctions(profile as Profile).join('\n')}`)
  return result
}
