-- What an organization can set for itself. Numbers are the codes of the API.
alter table organization
  add column add_emoji_by_admins_only boolean not null default false,
  add column allow_community_topic_editing boolean not null default true,
  add column allow_edit_history boolean not null default true,
  add column allow_message_deleting boolean not null default false,
  add column allow_message_editing boolean not null default true,
  add column avatar_changes_disabled boolean not null default false,
  add column create_stream_policy smallint not null default 1 check (create_stream_policy between 1 and 3),
  add column default_code_block_language text,
  add column default_language text not null default 'en',
  add column default_twenty_four_hour_time boolean not null default false,
  add column digest_emails_enabled boolean not null default false,
  add column digest_weekday smallint not null default 1 check (digest_weekday between 0 and 6),
  add column icon_source text not null default 'external' check (icon_source in ('external', 'uploaded')),
  add column inline_image_preview boolean not null default true,
  add column inline_url_embed_preview boolean not null default false,
  add column invite_by_admins_only boolean not null default false,
  add column invite_required boolean not null default true,
  add column invite_to_stream_policy smallint not null default 1 check (invite_to_stream_policy between 1 and 3),
  add column logo_source text not null default 'default' check (logo_source in ('default', 'uploaded')),
  add column mandatory_topics boolean not null default false,
  add column message_content_allowed_in_email_notifications boolean not null default true,
  -- In seconds; 0 for no limit.
  add column message_content_delete_limit_seconds integer not null default 600
    check (message_content_delete_limit_seconds >= 0),
  add column message_content_edit_limit_seconds integer not null default 600
    check (message_content_edit_limit_seconds >= 0),
  -- -1: for ever.
  add column message_retention_days integer not null default -1
    check (message_retention_days = -1 or message_retention_days > 0),
  add column night_logo_source text not null default 'default' check (night_logo_source in ('default', 'uploaded')),
  add column notifications_stream_id bigint,
  add column plan_type smallint not null default 1 check (plan_type between 1 and 4),
  add column private_message_policy smallint not null default 1 check (private_message_policy in (1, 2)),
  add column send_welcome_emails boolean not null default true,
  add column signup_notifications_stream_id bigint,
  add column user_group_edit_policy smallint not null default 1 check (user_group_edit_policy in (1, 2)),
  add column video_chat_provider smallint not null default 1 check (video_chat_provider >= 0),
  -- In days.
  add column waiting_period_threshold integer not null default 0 check (waiting_period_threshold >= 0);

-- What people set for themselves; one row for every account. The time zone, which others see, is in user_account.
create table user_setting (
  organization_id bigint not null,
  user_id bigint not null,
  enter_sends boolean not null default false,

  color_scheme smallint not null default 1 check (color_scheme between 1 and 3),
  default_language text not null default 'en',
  demote_inactive_streams smallint not null default 1 check (demote_inactive_streams between 1 and 3),
  dense_mode boolean not null default true,
  emojiset text not null default 'google-blob' check (emojiset in ('google', 'google-blob', 'twitter', 'text')),
  fluid_layout_width boolean not null default false,
  high_contrast_mode boolean not null default false,
  left_side_userlist boolean not null default false,
  starred_message_counts boolean not null default false,
  translate_emoticons boolean not null default false,
  twenty_four_hour_time boolean not null default false,

  desktop_icon_count_display smallint not null default 1 check (desktop_icon_count_display between 1 and 3),
  enable_desktop_notifications boolean not null default true,
  enable_digest_emails boolean not null default true,
  enable_login_emails boolean not null default true,
  enable_offline_email_notifications boolean not null default true,
  enable_offline_push_notifications boolean not null default true,
  enable_online_push_notifications boolean not null default true,
  enable_sounds boolean not null default true,
  enable_stream_audible_notifications boolean not null default false,
  enable_stream_desktop_notifications boolean not null default false,
  enable_stream_email_notifications boolean not null default false,
  enable_stream_push_notifications boolean not null default false,
  message_content_in_email_notifications boolean not null default true,
  notification_sound text not null default 'chat',
  pm_content_in_desktop_notifications boolean not null default true,
  presence_enabled boolean not null default true,
  realm_name_in_notifications boolean not null default false,
  wildcard_mentions_notify boolean not null default true,

  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references user_account (organization_id, id)
);

insert into user_setting (organization_id, user_id) select organization_id, id from user_account;
