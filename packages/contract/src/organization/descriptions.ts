import { z } from 'zod'
import { api } from '../api.ts'
import { domainsEvent } from '../domains/events.ts'
import { domain } from '../domains/shape.ts'
import { customEmojiEvent } from '../emoji/events.ts'
import { customEmoji } from '../emoji/shape.ts'
import { dataExportsEvent } from '../exports/events.ts'
import { dataExport } from '../exports/shape.ts'
import { invitesChangedEvent } from '../invitations/events.ts'
import { invitation } from '../invitations/shape.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { describeEndpoint, describeEvent, describeFields, type Texts } from '../kernel/describe.ts'
import { pick, type Settings } from '../kernel/setting.ts'
import { linkifiersEvent } from '../linkifiers/events.ts'
import { prefixWithRealm } from '../plain/realm-prefix.ts'
import { profileFieldsEvent } from '../profile-fields/events.ts'
import { userGroupEvent } from '../user-groups/events.ts'
import { maxUserGroupDescriptionLength, maxUserGroupNameLength, userGroup } from '../user-groups/shape.ts'
import { organizationEvent } from './events.ts'
import { groupedSettings, organizationSettings, singleSettings } from './settings.ts'
import { type organizationProperties, organizationState } from './shape.ts'

const pictureUrl = (picture: string) => `The URL of the organization's ${picture}.`

const aboutSettings = <Declared extends Settings>(settings: Declared) => pick(settings, ({ about }) => about)

const properties: Texts<typeof organizationProperties> = {
  ...aboutSettings(singleSettings),
  plan_type: 'The plan of the organization: 1 self-hosted, 2 limited, 3 standard, 4 standard free of charge.',
}

const groups = {
  default: aboutSettings(groupedSettings),
  icon: {
    icon_source: 'Where the icon comes from: `G` is an external service, `U` is an uploaded picture.',
    icon_url: pictureUrl('icon'),
  },
  logo: {
    logo_source: 'Where the logo comes from: `D` is the default, `U` is an uploaded picture.',
    logo_url: pictureUrl('logo'),
  },
  night_logo: {
    night_logo_source:
      'Where the logo for dark backgrounds comes from: `D` is the default, `U` is an uploaded picture.',
    night_logo_url: pictureUrl('logo for dark backgrounds'),
  },
}

export const organizationStateTexts: Texts<typeof organizationState> = {
  ...prefixWithRealm(properties),
  ...prefixWithRealm(groups.default),
  ...prefixWithRealm(groups.icon),
  ...prefixWithRealm(groups.logo),
  ...prefixWithRealm(groups.night_logo),
  realm_available_video_chat_providers: 'The video call providers that can be chosen, by name.',
  realm_bot_domain: 'The domain of the addresses of bots.',
  realm_community_topic_editing_limit_seconds:
    'For how many seconds after a message was sent everyone may change its topic. Null for no limit.',
  realm_default_external_accounts: 'The kinds of external accounts for custom profile fields, by name.',
  realm_email_auth_enabled: 'Whether users can sign in with an e-mail address and a password.',
  realm_is_zephyr_mirror_realm: 'Always false: no other system is mirrored.',
  realm_password_auth_enabled: 'Whether users can sign in with a password.',
  realm_presence_disabled: 'Whether presence is switched off for the organization. Always false.',
  realm_push_notifications_enabled: 'Whether the server sends push notifications. Always false.',
  realm_upload_quota: 'How many bytes of files the organization may store. Null for no limit.',
  realm_uri: 'The URL of the organization.',
  chat_plan_is_not_limited: 'Whether the plan of the organization has no limits.',
  development_environment: 'Whether the server runs in development mode.',
  jitsi_server_url: 'The URL of the Jitsi Meet server for video calls. Null if there is none.',
  max_avatar_file_size_mib: 'The maximum size of an avatar, in MiB.',
  max_file_upload_size_mib: 'The maximum size of an uploaded file, in MiB. 0 if uploads are disabled.',
  max_icon_file_size: "The maximum size of the organization's icon, in MiB.",
  max_logo_file_size: "The maximum size of the organization's logo, in MiB.",
  password_min_guesses: 'How many guesses a password must withstand, as estimated by the server.',
  password_min_length: 'The minimum length of a password, in characters.',
  server_avatar_changes_disabled:
    'Whether the server prevents users of all organizations from changing their avatar.',
  server_generation:
    'When the database of the server was created, in seconds since 1970-01-01 UTC. It is the same on all nodes.',
  server_inline_image_preview: 'Whether the server can show pictures below the links to them.',
  server_inline_url_embed_preview: 'Whether the server can preview linked pages.',
  server_name_changes_disabled:
    'Whether the server prevents users of all organizations from changing their name.',
  server_thumbnail_formats:
    'The formats of the thumbnails of uploaded pictures. `/user_uploads/thumbnail/{path_id}/{name}` is the thumbnail of an upload, for everyone who may read the upload.',
  settings_send_digest_emails: 'Whether the server sends digest e-mails.',
  upgrade_text_for_wide_organization_logo:
    'Why a logo cannot be uploaded on the current plan. Empty if it can.',
}

describeFields(organizationState.server_thumbnail_formats.element, {
  name: 'The last part of the URL of a thumbnail.',
  max_width:
    'The maximum width, in pixels. A thumbnail keeps the shape of the picture and is never enlarged.',
  max_height: 'The maximum height, in pixels.',
  format: 'The type of the file, like `webp`.',
  animated:
    'Whether the thumbnail of an animated picture is animated too. For pictures that are not animated, this makes no difference.',
})
describeFields(organizationState.realm_available_video_chat_providers.valueType, {
  id: 'The id of the provider.',
  name: 'The display name of the provider.',
})
describeFields(organizationState.realm_default_external_accounts.valueType, {
  text: 'The display name of the service.',
  name: 'The label of a profile field of this kind.',
  hint: 'A hint for people who fill in the field.',
  url_pattern:
    "The URL of a person's account at the service, with `%(username)s` for the value of the field.",
})

describeEndpoint(
  api.organization.update,
  pick(organizationSettings, ({ paramAbout }) => paramAbout),
  pick(organizationSettings, ({ value, about }, name) =>
    value instanceof z.ZodString
      ? `The word \`updated\`. Present only if the ${name.replaceAll('_', ' ')} changed.`
      : `${about} Present only if it changed.`,
  ),
)
describeEndpoint(api.organization.deactivate, {}, {})

const [updated, grouped, deactivated] = organizationEvent.options
describeEvent(updated, {
  op: 'One setting of the organization changed.',
  property: 'The name of the setting.',
  value: 'The new value of the setting.',
  extra_data: 'Other values that changed with the plan. Present only if `property` is `plan_type`.',
})
describeFields(updated.shape.extra_data.unwrap(), {
  upload_quota: 'How many bytes of files the organization may store. Null for no limit.',
})
const groupTexts = {
  op: 'Several settings of the organization changed together.',
  property: 'The name of the group of settings.',
  data: 'The new values of the settings that changed.',
}
const [defaultChange, iconChange, logoChange, nightLogoChange] = grouped.options
describeEvent(defaultChange, groupTexts)
describeFields(defaultChange.shape.data, groups.default)
describeEvent(iconChange, groupTexts)
describeFields(iconChange.shape.data, groups.icon)
describeEvent(logoChange, groupTexts)
describeFields(logoChange.shape.data, groups.logo)
describeEvent(nightLogoChange, groupTexts)
describeFields(nightLogoChange.shape.data, groups.night_logo)
describeEvent(deactivated, {
  op: 'The organization was deactivated.',
  realm_id: 'The id of the organization.',
})

const domainText = 'The name of the domain.'
const subdomainsText = 'Whether addresses of subdomains, such as `mail.<domain>`, are allowed too.'
describeFields(domain, { domain: domainText, allow_subdomains: subdomainsText })
describeEndpoint(api.domains.list, {}, { domains: 'The allowed domains, ordered by name.' })
describeEndpoint(
  api.domains.add,
  { domain: domainText, allow_subdomains: subdomainsText },
  { new_domain: 'The id and the name of the new domain, in a list.' },
)
describeEndpoint(api.domains.update, { domain: domainText, allow_subdomains: subdomainsText }, {})
describeEndpoint(api.domains.remove, { domain: domainText }, {})
const [domainAdded, domainChanged, domainRemoved] = domainsEvent.options
describeEvent(domainAdded, { op: 'A domain was allowed.', realm_domain: 'The domain.' })
describeEvent(domainChanged, { op: 'A domain was changed.', realm_domain: 'The domain, after the change.' })
describeEvent(domainRemoved, { op: 'A domain is no longer allowed.', domain: domainText })

describeEndpoint(api.organizationPictures.setIcon, {}, { icon_url: pictureUrl('icon') })
describeEndpoint(api.organizationPictures.clearIcon, {}, { icon_url: pictureUrl('icon') })
const night = 'Whether the logo is the one for dark backgrounds.'
describeEndpoint(api.organizationPictures.setLogo, { night }, {})
describeEndpoint(api.organizationPictures.clearLogo, { night }, {})

const exportList = 'All exports that were started, the oldest first.'
describeFields(dataExport, {
  id: 'The id of the export.',
  acting_user_id: 'The id of the administrator who started the export.',
  export_time: 'When the export was started, in seconds.',
  export_url:
    'The URL of the archive, for administrators. Null until it is complete, and after it was deleted.',
  deleted_timestamp: 'When the archive was deleted, in seconds. Null if it was not.',
  failed_timestamp: 'When the export failed, in seconds. Null if it did not.',
  pending: 'Whether the export is still running.',
})
describeEndpoint(api.dataExports.list, {}, { exports: exportList })
describeEndpoint(api.dataExports.start, {}, {})
describeEndpoint(api.dataExports.remove, { export_id: 'The id of the export.' }, {})
describeEvent(dataExportsEvent, { exports: exportList })

const linkifierId = 'The id of the linkifier.'
const linkifierList =
  'The linkifiers, in the order in which they are tried. Each is a list of its pattern, its URL format and its id.'
const pattern = 'A regular expression with named groups, each after a fixed text, such as `#(?P<id>[0-9]+)`.'
const urlFormat =
  'The URL of the link, with the groups of the pattern, such as `https://bugs.example/%(id)s`.'
describeEndpoint(api.linkifiers.list, {}, { filters: linkifierList })
describeEndpoint(
  api.linkifiers.listByName,
  {},
  {
    linkifiers: 'The linkifiers, in the order in which they are tried.',
  },
)
describeFields(api.linkifiers.listByName.response.linkifiers.element, {
  id: linkifierId,
  pattern,
  url_format: urlFormat,
})
describeEndpoint(
  api.linkifiers.add,
  { pattern, url_format_string: urlFormat },
  { id: 'The id of the new linkifier.' },
)
describeEndpoint(api.linkifiers.remove, { filter_id: linkifierId }, {})
describeEvent(linkifiersEvent, { realm_filters: `After the change: ${linkifierList}` })

describeFields(customEmoji, {
  id: 'The id of the custom emoji.',
  name: 'The name, without colons.',
  source_url: 'The URL of the picture, relative to the host of the organization.',
  deactivated: 'Whether the emoji was deactivated. Messages and reactions that use it still show it.',
  author_id: 'The id of the user who added the emoji. Null if unknown.',
})
const emojiList = 'All custom emoji that the organization ever had, by id.'
const emojiName = 'The name: lower-case letters, digits, `.`, `-` and `_`. It ends with a letter or a digit.'
describeEndpoint(api.emoji.list, {}, { emoji: emojiList })
describeEndpoint(api.emoji.upload, { emoji_name: emojiName }, {})
describeEndpoint(api.emoji.deactivate, { emoji_name: 'The name of the custom emoji.' }, {})
describeEvent(customEmojiEvent, { op: 'The custom emoji changed.', realm_emoji: emojiList })

const groupName = `The name of the group, of up to ${maxUserGroupNameLength} characters.`
const groupDescription = `The description of the group, of up to ${maxUserGroupDescriptionLength} characters.`
describeFields(userGroup, {
  id: texts.userGroupId,
  name: 'The name of the group.',
  description: 'The description of the group.',
  members: 'The user ids of the members, ascending. Deactivated users are included.',
})
describeEndpoint(api.userGroups.list, {}, { user_groups: 'The user groups, ordered by id.' })
describeEndpoint(
  api.userGroups.create,
  {
    name: groupName,
    description: groupDescription,
    members: 'The user ids of the members. The caller is a member only if listed.',
  },
  { id: 'The id of the new group.' },
)
describeEndpoint(
  api.userGroups.update,
  {
    user_group_id: texts.userGroupId,
    name: `${groupName} Unchanged if empty or absent.`,
    description: `${groupDescription} Unchanged if absent.`,
  },
  {},
)
describeEndpoint(api.userGroups.remove, { user_group_id: texts.userGroupId }, {})
describeEndpoint(
  api.userGroups.changeMembers,
  {
    user_group_id: texts.userGroupId,
    add: 'The ids of the users to add.',
    delete: 'The ids of the users to remove. They are removed after the users in `add` were added.',
  },
  {},
)
const [groupAdded, groupUpdated, membersAdded, membersRemoved, groupRemoved] = userGroupEvent.options
describeEvent(groupAdded, { op: 'A user group was created.', group: 'The user group.' })
describeEvent(groupUpdated, {
  op: 'The name or the description of a user group changed.',
  group_id: texts.userGroupId,
  data: 'The changed fields with their new values.',
})
describeFields(groupUpdated.shape.data, {
  name: 'The new name. Absent if it did not change.',
  description: 'The new description. Absent if it did not change.',
})
describeEvent(membersAdded, {
  op: 'Members were added to a user group.',
  group_id: texts.userGroupId,
  user_ids: 'The ids of the new members, ascending.',
})
describeEvent(membersRemoved, {
  op: 'Members were removed from a user group.',
  group_id: texts.userGroupId,
  user_ids: 'The ids of the former members, ascending.',
})
describeEvent(groupRemoved, { op: 'A user group was deleted.', group_id: texts.userGroupId })

describeEvent(profileFieldsEvent, {
  op: 'Whether a custom profile field was added, updated or deleted.',
  fields: 'All custom profile fields, after the change.',
})

const invitationId = 'The id of the invitation.'
describeFields(invitation, {
  id: invitationId,
  invited_by_user_id: 'The id of the user who made the invitation.',
  invited: 'When the invitation was last sent, in seconds since 1970-01-01 UTC.',
  invited_as: 'The role of users who accept it: 100 owner, 200 administrator, 400 member, 600 guest.',
  is_multiuse: 'Whether it is a link that any number of people may use.',
  email: 'The address that the invitation was sent to. Absent for links.',
  link_url: 'The URL of the invitation. Absent for invitations by e-mail, unless the server sends no e-mail.',
})
const inviteAs =
  'The role of users who accept the invitation: 100 owner, 200 administrator, 400 member, 600 guest.'
describeEndpoint(api.invitations.list, {}, { invites: 'The invitations.' })
describeEndpoint(
  api.invitations.send,
  {
    invitee_emails:
      'The addresses, separated by commas or line breaks. `Iris Gardener <iris@example.com>` is accepted too.',
    stream_ids: 'The ids of the streams that the new users are subscribed to.',
    invite_as: inviteAs,
  },
  {},
)
describeEndpoint(api.invitations.revoke, { invite_id: invitationId }, {})
describeEndpoint(
  api.invitations.resend,
  { invite_id: invitationId },
  { timestamp: 'When the invitation was sent again, in seconds since 1970-01-01 UTC.' },
)
describeEndpoint(
  api.invitations.createLink,
  {
    invite_as: inviteAs,
    stream_ids:
      'The ids of the streams that the new users are subscribed to. The default streams if empty or absent.',
  },
  { invite_link: 'The URL of the link.' },
)
describeEndpoint(api.invitations.revokeLink, { invite_id: 'The id of the link.' }, {})
describeEvent(invitesChangedEvent, {})
