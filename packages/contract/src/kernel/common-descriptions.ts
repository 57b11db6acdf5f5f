/** Descriptions that several endpoints, events and objects share. */
export const texts = {
  userId: 'The id of the user.',
  streamId: 'The id of the stream.',
  streamFolderId: 'The id of the folder of streams.',
  messageId: 'The id of the message.',
  botId: 'The user id of the bot.',
  userGroupId: 'The id of the user group.',
  topic: 'The topic of the message.',
  email: "The user's API address. It differs from the real address where the organization hides addresses.",
  fullName: "The user's full name.",
  botEmail: "The bot's API address, which is also its user name for HTTP Basic.",
  botName: "The bot's full name.",
  avatarUrl: "The URL of the user's avatar. It ends with `?v=` and the avatar's version.",
  avatarUrlOrNull:
    "The URL of the user's avatar. Null where the client asked to compute external avatar URLs itself.",
  avatarSource: 'Where the avatar comes from: `G` is an external service, `U` is an uploaded picture.',
  avatarVersion: 'Increases with every change of the avatar, so that clients can refresh their cache.',
  seconds: 'A time in seconds since 1970-01-01 UTC.',
  serverTimestamp:
    'The time of the response on the server, in seconds since 1970-01-01 UTC, with a fraction.',
  role: 'The role: 100 owner, 200 administrator, 400 member, 600 guest.',
  botType: 'The type of the bot: 1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded.',
  botInterface: 'How the service is called: 1 sends JSON, 2 sends form fields.',
  postPolicy: 'Who may post: 1 everyone, 2 administrators, 3 everyone except new members.',
  clientExternalAvatar:
    'Whether the client computes the URLs of external avatars itself. Such URLs are then null in the response.',
  applyMarkdown: 'Whether message content is returned as HTML. Otherwise it is the Markdown source.',
  narrowTerms:
    'Conditions that messages must all meet, each like `{"operator": "stream", "operand": "garden", "negated": false}`. Streams, users and messages may be given by id. `channel`, `dm` and `is:dm` are accepted for `stream`, `pm-with` and `is:private`.',
  queueId: 'The id of the event queue.',
  chatVersion: 'The release of the protocol that the server implements.',
  chatFeatureLevel: 'The feature level of the protocol that the server implements.',
  serverVersion: 'The version of the server software.',
  zulipVersion: 'The same as `chat_version`, under an older name. Absent for clients known not to need it.',
  zulipFeatureLevel:
    'The same as `chat_feature_level`, under an older name. Absent for clients known not to need it.',
  operation: 'What happened.',
  renderedHtml: 'HTML, to be treated like the content of a message.',
} as const
