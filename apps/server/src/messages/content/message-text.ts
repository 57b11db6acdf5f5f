import {
  ApiError,
  BotType,
  countCharacters,
  isResolvedTopic,
  markTopic,
  maxContentBytes,
  maxLengthOfTopic,
  type UserGroupId,
  type UserId,
  unmarkTopic,
} from '@oxbow/contract'
import { fitContent, fitTopic } from '@oxbow/integrations'
import {
  decodeUploadPath,
  findReferences,
  type LookupData,
  type References,
  type UploadedPicture,
} from '@oxbow/markdown'
import { listUsableEmoji } from '../../organization/emoji/cached-emoji.ts'
import { listCachedLinkifiers } from '../../organization/linkifiers/cached-linkifiers.ts'
import { canSeeGroups } from '../../organization/user-groups/access.ts'
import { listActiveMembers, listNamedGroups } from '../../organization/user-groups/queries.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import type { OrganizationRow } from '../../platform/database/tables.ts'
import { canSee, toViewer } from '../../streams/access.ts'
import { findAlertedUsers } from '../alert-words/cached-words.ts'
import { canReadUpload } from '../attachments/access.ts'
import { listPictures } from '../attachments/queries.ts'
import { proxyPictures } from '../external-pictures/proxy-pictures.ts'
import { listPreviewableLinks } from '../link-previews/links.ts'
import type { Reader } from '../visibility.ts'
import { listNamedPeople, listNamedStreams, type NamedPerson } from './queries.ts'

/** How an overlong text is handled. */
export type LengthRule = 'refuse' | 'cut'

/**
 * Overlong texts of people are refused, so that nothing is lost unnoticed. Overlong texts of bots
 * are truncated, because a bot cannot react to a refusal, and a truncated alert is better than
 * none.
 */
export const lengthRuleFor = ({ bot_type }: Pick<Actor, 'bot_type'>): LengthRule =>
  bot_type === null ? 'refuse' : 'cut'

/** Returns the content in the form in which it is stored: without trailing white space. */
export function checkContent(rawContent: string, rule: LengthRule): string {
  const content = rawContent.trimEnd()
  if (content === '') throw new ApiError('MESSAGE_EMPTY')
  return checkText(content, rule)
}

/**
 * Returns the edited content in the form in which it is stored. An empty edit becomes "(deleted)".
 */
export function checkEditedContent(content: string, rule: LengthRule): string {
  return checkText(content.trim() || '(deleted)', rule)
}

/** Returns the text, or its beginning with `cut`. Throws if it is longer than a message may be. */
export function checkText(content: string, rule: LengthRule): string {
  if (content.includes('\0')) throw new ApiError('MESSAGE_HAS_NUL')
  // A UTF-16 code unit takes at most three bytes in UTF-8, so most texts need not be measured.
  if (content.length * 3 <= maxContentBytes || Buffer.byteLength(content) <= maxContentBytes) return content
  if (rule === 'refuse') throw new ApiError('CONTENT_TOO_LONG')
  return fitContent(content)
}

/** The topic that clients send if the user entered none. */
export const noTopic = '(no topic)'

export function checkTopic(rawTopic: string, rule: LengthRule): string {
  const topic = rawTopic.trim()
  if (topic === '') throw new ApiError('TOPIC_EMPTY')
  const limit = maxLengthOfTopic(topic)
  if (topic.length <= limit || countCharacters(topic) <= limit) return topic
  if (rule === 'refuse') throw new ApiError('TOPIC_TOO_LONG')
  return isResolvedTopic(topic) ? markTopic(fitTopic(unmarkTopic(topic))) : fitTopic(topic)
}

/** Settings that affect how a text is rendered. */
export interface ContentSettings {
  origin: string
  inline_image_preview: boolean
  default_code_block_language: string | null
  translate_emoticons: boolean
  /** Whether to collect links to pages; false by default. */
  findsPages?: boolean
  /**
   * The people and streams to which a text of the server itself refers. No others are looked up, and
   * linkifiers are not applied.
   */
  references?: LookupData
}

export interface RenderedContent {
  html: string
  /** Users mentioned by name or through a user group. */
  mentioned: ReadonlySet<UserId>
  /** Generic bots mentioned by name. They receive the message even if they are not subscribed. */
  mentionedBots: readonly UserId[]
  /** Outgoing webhooks mentioned by name. */
  mentionedWebhooks: readonly UserId[]
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
  const { data, people, pictures } = settings.references
    ? { ...nothingFound, data: settings.references }
    : await lookUpReferences(app, writer, findReferences(content))
  const linkifiers = settings.references ? [] : await listCachedLinkifiers(app, writer.organization_id)
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
  const members = groups.length > 0 ? await listActiveMembers(app.db, writer.organization_id, groups) : []
  const { links, pageLinks, hasImage } = rendered
  return {
    html: hasImage ? proxyPictures(app, writer.organization_id, rendered.html) : rendered.html,
    mentioned: named.union(new Set(members)),
    mentionedBots: listMentionedBots(people, named, BotType.generic),
    mentionedWebhooks: listMentionedBots(people, named, BotType.outgoingWebhook),
    alerted: await findAlertedUsers(app, writer.organization_id, content),
    mentions_wildcard: rendered.mentionsWildcard,
    has_link: links.length > 0,
    has_image: hasImage,
    pageLinks: pageLinks.length > 0 ? listPreviewableLinks(app.config, settings.origin, pageLinks) : [],
    uploads: rendered.uploads.map(decodeUploadPath),
  }
}

/**
 * Returns whether links in this sender's messages get previews, so that `findsPages` must be set.
 * Links of bots never do.
 */
export const arePagesPreviewed = (
  { config }: Pick<App, 'config'>,
  { inline_url_embed_preview }: Pick<OrganizationRow, 'inline_url_embed_preview'>,
  { bot_type }: Pick<Actor, 'bot_type'>,
): boolean => config.link_previews && inline_url_embed_preview && bot_type === null

const listMentionedBots = (people: readonly NamedPerson[], named: ReadonlySet<UserId>, type: BotType) =>
  people.filter(({ id, bot_type }) => bot_type === type && named.has(id)).map(({ id }) => id)

/** The people, pictures and other data that a text refers to. */
interface Lookup {
  data: LookupData
  people: readonly NamedPerson[]
  pictures: readonly UploadedPicture[]
}

const nothingFound: Lookup = { data: {}, people: [], pictures: [] }

/**
 * Loads the people, groups, streams, emoji and uploaded pictures that a text refers to. Runs no
 * query if the text has no references.
 */
async function lookUpReferences(app: App, writer: Reader, references: References): Promise<Lookup> {
  if (Object.values(references).every((list) => list.length === 0)) return nothingFound
  const { db } = app
  const people = await listNamedPeople(db, writer, references.people)
  const groups = canSeeGroups(writer)
    ? await listNamedGroups(db, writer.organization_id, references.groups)
    : []
  const streams = await listNamedStreams(db, writer, references.streams)
  const customEmoji = await listUsableEmoji(app, writer.organization_id, references.emoji)
  const pictures = await listLinkedPictures(db, writer, references.pictures)
  return {
    people,
    pictures,
    data: {
      customEmoji,
      people: people.map(({ id, full_name }) => ({ id, fullName: full_name })),
      groups,
      // A link reveals the id of a stream, so only streams that the writer can see become links.
      streams: streams.filter((stream) => canSee(stream, toViewer(writer, stream))),
    },
  }
}

/** Lists the pictures at these upload paths that the writer may read and whose sizes are known. */
async function listLinkedPictures(
  db: Db,
  writer: Reader,
  paths: readonly string[],
): Promise<UploadedPicture[]> {
  if (paths.length === 0) return []
  return listPictures(db, writer.organization_id, paths, canReadUpload(writer))
}
