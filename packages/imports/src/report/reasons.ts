/** Why something of the archive does not come, or comes in another form: the same list for all sources. */
export const reasons = {
  // Messages that do not come
  notice: 'A notice of the old system, such as "joined the channel". It is left out.',
  empty: 'The message has no text, file or anything else that could be shown.',
  bad_time: 'The message has no time, or one that cannot be true, and nothing else says where it belongs.',
  duplicate: 'The archive has the message twice. It comes once.',
  place_excluded: 'The message is in a place that is not imported.',
  too_long_to_show: 'The text is too long to be shown, and no shorter form of it could be written.',
  old_version: 'An earlier version or a deleted text in a log of changes. Only the last text comes.',
  // Places that do not come
  no_members: 'A private conversation of which nobody is known. There is nobody who could read it.',
  too_many_members: 'A private conversation of more people than Oxbow allows. It becomes a private stream.',
  own_view: 'The archive was made by one person, and this private conversation belongs to others too.',
  // Parts that change
  time_changed: 'The time cannot be true. The message gets the time of its neighbour.',
  reply_before_thread:
    'The reply is older than the message it answers. It comes directly after that message.',
  text_moved_to_file:
    'The text is longer than a message may be. All of it is in a file, and its start in the message.',
  missing_first_message: 'The first message of the thread is not in the archive. The topic says so.',
  unknown_author: 'No list has the author. A deactivated account stands for the person.',
  unknown_member: 'The list of members names an account that no list has. It is left out.',
  unknown_reactor: 'Someone reacted whom no list has. The reaction is left out.',
  unnamed_reactor: 'The old system counted more reactions than it names people. Only the named ones come.',
  unknown_emoji: 'A custom emoji whose picture is not in the archive. Its reactions are left out.',
  unknown_element: 'A part of a text that has no words and no known form. It is left out.',
  unknown_block: 'A part of a message of an app that has no words. It is left out.',
  unresolved_link: 'A link to a message that is not imported. It still leads to the old system.',
  mention_of_all:
    'The text called everyone, or everyone who was there. It mentions all, and notifies nobody now.',
  // Files of the archive
  not_a_list: 'A file of the archive has no list where one belongs.',
  truncated_file: 'A file of the archive ends in the middle. What came before the break is read.',
  bad_json: 'An entry of the archive cannot be read. It is left out.',
  too_deep: 'An entry of the archive is nested too deeply. It is left out.',
  too_long: 'An entry of the archive is larger than any message. It is left out.',
  bad_row: 'A row of a table has other columns than its first line. It is left out.',
  unsafe_name: 'A file of the archive whose name could lead to another place. It is ignored.',
  unlisted_folder: 'A folder of messages that belongs to no listed channel. It comes as a private stream.',
  // Things of the old system that Oxbow does not have
  pin: 'A pinned message. The message comes, but is not pinned.',
  canvas: 'A canvas or list. It does not come.',
  user_twice: 'The archive lists an account twice. The first entry counts.',
  name_changed: 'A name that Oxbow does not allow, or that is taken, was changed.',
  same_address: 'Two accounts have the same address. The first one gets it.',
} as const
export type Reason = keyof typeof reasons

/** Why a file does not come. */
export const fileReasons = {
  deleted: 'The file was deleted in the old system.',
  hidden_by_limit: 'The plan of the old system hides the file.',
  no_access: 'The old system refused access to the file.',
  not_downloaded:
    'The archive has only the address of the file. Export again with a program that adds the files, such as slackdump.',
  too_large: 'The file is larger than `--max-file` allows.',
  not_in_archive: 'The archive has neither the file nor an address of it.',
} as const
export type FileReason = keyof typeof fileReasons

/** Why an account is imported as deactivated. */
export const inactiveReasons = {
  deactivated: 'Deactivated in the old system.',
  no_email: 'The archive has no e-mail address, so nobody could sign in.',
  other_workspace: 'A guest from another organization.',
  bot: 'Bots come deactivated, so that no key is valid. Reactivate the ones that you need.',
  placeholder: 'Only messages name this person; no list of people has them.',
  invited: 'Invited in the old system, but never joined.',
} as const
export type InactiveReason = keyof typeof inactiveReasons

/** Losses in the text of a message. */
export type TextLoss = 'unknown_element' | 'unknown_block' | 'unresolved_link'
