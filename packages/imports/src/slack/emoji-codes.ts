/** Emoji whose name in Slack belongs to another emoji in Oxbow, from the names in the package emoji-datasource. */
const codes = new Map(
  (
    'beetle:1fab2 calendar:1f4c6 camping:1f3d5 cat:1f431 chart:1f4b9 congratulations:3297 ' +
    'construction:1f6a7 cow:1f42e cricket:1f997 date:1f4c5 dizzy:1f4ab dog:1f436 feet:1f43e ' +
    'football:1f3c8 golf:26f3 horse:1f434 hourglass:231b kiss:1f48b loop:27bf medal:1f396 ' +
    'metro:1f687 moon:1f314 mouse:1f42d newspaper:1f4f0 o:2b55 ok:1f197 pencil:1f4dd pig:1f437 ' +
    'point_up:261d post_office:1f3e3 rabbit:1f430 receipt:1f9fe scooter:1f6f4 secret:3299 ' +
    'smile:1f604 sound:1f509 stuck_out_tongue:1f61b ticket:1f3ab tiger:1f42f traffic_light:1f6a5 ' +
    'train:1f68b tram:1f68a truck:1f69a up:1f199 x:274c'
  )
    .split(' ')
    .map((entry) => entry.split(':') as [name: string, code: string]),
)

/** Returns the code of an emoji by its name in Slack; undefined if Oxbow has the same name for it. */
export const findSlackEmoji = (name: string): string | undefined => codes.get(name)
