import { api } from '../api.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { describeEndpoint, describeFields, type Texts } from '../kernel/describe.ts'
import type { explainedPermission } from '../permissions/shape.ts'

const ifOrganization = 'Absent if the host names no organization.'

describeEndpoint(
  api.server.settings,
  {},
  {
    authentication_methods: 'Whether each authentication method is enabled, by its name.',
    external_authentication_methods: 'External authentication methods, in the order to show them in.',
    chat_version: texts.chatVersion,
    chat_feature_level: texts.chatFeatureLevel,
    server_version: texts.serverVersion,
    push_notifications_enabled: 'Whether the server sends push notifications.',
    is_incompatible: 'Whether the client, as named by its `User-Agent` header, is too old for the server.',
    email_auth_enabled: 'Whether users can sign in with an e-mail address and a password.',
    require_email_format_usernames: 'Whether user names must be e-mail addresses.',
    realm_uri: `The URL of the organization. ${ifOrganization}`,
    realm_name: `The name of the organization. ${ifOrganization}`,
    realm_icon: `The URL of the organization's icon. ${ifOrganization}`,
    realm_description: `The description of the organization, as HTML. ${ifOrganization}`,
    zulip_version: texts.zulipVersion,
    zulip_feature_level: texts.zulipFeatureLevel,
  },
)
describeFields(api.server.settings.response.external_authentication_methods.element, {
  name: 'The name of the method in requests.',
  display_name: 'The display name of the method.',
  display_icon: 'The URL of an icon. Null if there is none.',
  login_url: 'The URL at which people sign in with the method.',
  signup_url: 'The URL at which people create an account with the method.',
})

const fetched = { api_key: "The account's API key.", email: "The account's API address." }
const username = 'The e-mail address of the account.'
describeEndpoint(
  api.authentication.fetchApiKey,
  { username, password: 'The password of the account.' },
  fetched,
)
describeEndpoint(api.authentication.devFetchApiKey, { username }, fetched)
describeEndpoint(
  api.authentication.listDevelopmentUsers,
  {},
  { direct_admins: 'Active administrators and owners.', direct_users: 'All other active people.' },
)
describeFields(api.authentication.listDevelopmentUsers.response.direct_users.element, {
  email: 'The real e-mail address of the account.',
  realm_uri: 'The URL of the organization.',
})
describeEndpoint(
  api.authentication.fetchGoogleClientId,
  {},
  { google_client_id: 'The id with which clients would sign in with Google.' },
)

const decision: Texts<typeof explainedPermission> = {
  allowed: 'Whether the account may perform the action.',
  rule: 'The name of the rule that decided. Names do not change.',
  reason: 'An explanation of the rule, to be shown to users.',
  facts: 'The data that the rule evaluated, such as roles, policies, subscriptions and ages.',
}
describeEndpoint(
  api.permissions.explain,
  {
    user_id: 'The id of the user whose permission is explained.',
    action: 'The action.',
    stream_id:
      'The id of the stream that the action concerns. For `move_message`, the stream that the message would be moved to.',
    message_id: 'The id of the message that the action concerns.',
    other_user_id:
      'The id of the other user: the recipient, the one whose address is looked up, or the one whose account would be changed.',
    user_group_id: 'For `edit_group`, the id of the user group. Any group if absent.',
    bot_type: `For \`create_bot\`. ${texts.botType}`,
  },
  decision,
)

describeEndpoint(
  api.server.checkSubdomain,
  { subdomain: 'The subdomain to check.' },
  { msg: '`available`, or the reason why it is not, to be shown to users.' },
)
