import { ApiError, BotType, type UserGroupId, type UserId } from '@oxbow/contract'
import { decodeUploadPath, findReferences, type LookupData, type References } from '@oxbow/markdown'
import { findAlertedUsers } from '../../alert-words/cached-words.ts'
import { listUsableEmoji } from '../../emoji/cached-emoji.ts'
import { proxyPictures } from '../../external-pictures/proxy-pictures.ts'
import { listCachedLinkifiers } from '../../linkifiers/cached-linkifiers.ts'
import type { App } from '../../platform/app.ts'
import { canSee, toViewer } from '../../streams/access.ts'
import { listActiveMembers, listNamedGroups } from '../../user-groups/queries.ts'
import { listLinkedPictures } from '../attachments/linked-pictures.ts'
import { listPreviewableLinks } from '../link-previews/links.ts'
import type { Reader } from '../visibility.ts'
import { listNamedPeople, listNamedStreams, type NamedPerson } from './queries.ts'

/** Settings that affect how a text is rendered. */
export interface ContentSettings {
  origin: string
  inline_image_preview: boolean
  default_code_block_language: string | null
  translate_emoticons: boolean
  /** Whether to collect links to pages; false by default. */
  findsPages?: boolean
}

export interface RenderedContent {
  html: string
  /** Users mentioned by name or through a user group. */
  mentioned: ReadonlySet<UserId>
  /** Generic bots mentioned by name. They receive the message even if they are not subscribed. */
  mentionedBots: readonly UserId[]
  alerted: ReadonlySet<UserId>
  mentions_wildcard: boolean
  has_link: boolean
  has_image: boolean
  /** Targets of links whose pages may be previewed. */
  pageLinks: readonly string[]
  /** Paths of the uploads that the text links to, whether or not they exist. */
  uploads: readonly string[]
}

/**
 * Renders Markdown to the HTML and metadata that are stored with a message. All message texts are
 * rendered here.
 */
export async function renderContent(
  app: App,
  writer: Reader,
  content: string,
  settings: ContentSettings,
): Promise<RenderedContent> {
  const references = findReferences(content)
  const { data, people } = await lookUpReferences(app, writer, references)
  const pictures = await listLinkedPictures(app.db, writer, references.pictures)
  const linkifiers = await listCachedLinkifiers(app, writer.organization_id)
  const rendered = await app.markdown.render({
    text: content,
    lookupData: data,
    ...(linkifiers.length > 0 && { linkifiers }),
    origin: settings.origin,
    previewImages: settings.inline_image_preview,
    ...(settings.findsPages && { findsPages: true }),
    ...(pictures.length > 0 && { pictures }),
    translateEmoticons: settings.translate_emoticons,
    defaultCodeLanguage: settings.default_code_block_language,
  })
  if (!rendered) throw new ApiError('UNABLE_TO_RENDER')
  const named = new Set(rendered.mentionedUserIds as UserId[])
  const groups = rendered.mentionedGroupIds as UserGroupId[]
  const members = await listActiveMembers(app.db, writer.organization_id, groups)
  return {
    html: proxyPictures(app, writer.organization_id, rendered.html),
    mentioned: named.union(new Set(members)),
    mentionedBots: people.filter((person) => isMentionedBot(person, named)).map(({ id }) => id),
    alerted: await findAlertedUsers(app, writer.organization_id, content),
    mentions_wildcard: rendered.mentionsWildcard,
    has_link: rendered.links.length > 0,
    has_image: rendered.hasImage,
    pageLinks: listPreviewableLinks(app.config, settings.origin, rendered.pageLinks),
    uploads: rendered.uploads.map(decodeUploadPath),
  }
}

const isMentionedBot = ({ id, bot_type }: NamedPerson, named: ReadonlySet<UserId>) =>
  bot_type === BotType.generic && named.has(id)

/**
 * Loads the people, groups, streams and emoji that a text refers to. Runs no query if the text has
 * no references.
 */
async function lookUpReferences(
  app: App,
  writer: Reader,
  { people: named, groups: groupNames, streams: names, emoji }: References,
): Promise<{ data: LookupData; people: NamedPerson[] }> {
  const customEmoji = await listUsableEmoji(app, writer.organization_id, emoji)
  if (named.length === 0 && groupNames.length === 0 && names.length === 0)
    return { data: { customEmoji }, people: [] }
  const { db } = app
  const people = await listNamedPeople(db, writer.organization_id, named)
  const groups = await listNamedGroups(db, writer.organization_id, groupNames)
  const streams = await listNamedStreams(db, writer, names)
  return {
    people,
    data: {
      customEmoji,
      people: people.map(({ id, full_name }) => ({ id, fullName: full_name })),
      groups,
      // A link reveals the id of a stream, so only streams that the writer can see become links.
      streams: streams.filter((stream) => canSee(stream, toViewer(writer, stream))),
    },
  }
}
