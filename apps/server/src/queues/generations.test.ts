import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { request, startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')

/** The keys of a whole registration in the generation 27. Its clients get no others, so this list never grows. */
const keysOf27 = `
  alert_words available_notification_sounds avatar_source avatar_url avatar_url_medium
  can_create_streams can_subscribe_other_users chat_feature_level chat_plan_is_not_limited
  chat_version color_scheme cross_realm_bots custom_profile_field_types custom_profile_fields
  default_language delivery_email demote_inactive_streams dense_mode desktop_icon_count_display
  development_environment drafts email emojiset emojiset_choices enable_desktop_notifications
  enable_digest_emails enable_login_emails enable_offline_email_notifications
  enable_offline_push_notifications enable_online_push_notifications enable_sounds
  enable_stream_audible_notifications enable_stream_desktop_notifications
  enable_stream_email_notifications enable_stream_push_notifications enter_sends
  fluid_layout_width full_name has_zoom_token high_contrast_mode hotspots is_admin is_guest
  is_owner jitsi_server_url last_event_id left_side_userlist max_avatar_file_size_mib
  max_file_upload_size_mib max_icon_file_size max_logo_file_size max_message_id
  message_content_in_email_notifications muted_topics never_subscribed notification_sound
  password_min_guesses password_min_length pm_content_in_desktop_notifications presence_enabled
  presences queue_id realm_add_emoji_by_admins_only realm_allow_community_topic_editing
  realm_allow_edit_history realm_allow_message_deleting realm_allow_message_editing
  realm_authentication_methods realm_available_video_chat_providers
  realm_avatar_changes_disabled realm_bot_creation_policy realm_bot_domain realm_bots
  realm_community_topic_editing_limit_seconds realm_create_stream_policy
  realm_default_code_block_language realm_default_external_accounts realm_default_language
  realm_default_stream_groups realm_default_streams realm_default_twenty_four_hour_time
  realm_description realm_digest_emails_enabled realm_digest_weekday
  realm_disallow_disposable_email_addresses realm_domains realm_email_address_visibility
  realm_email_auth_enabled realm_email_changes_disabled realm_emails_restricted_to_domains
  realm_embedded_bots realm_emoji realm_filters realm_icon_source realm_icon_url
  realm_incoming_webhook_bots realm_inline_image_preview realm_inline_url_embed_preview
  realm_invite_by_admins_only realm_invite_required realm_invite_to_stream_policy
  realm_is_zephyr_mirror_realm realm_logo_source realm_logo_url realm_mandatory_topics
  realm_message_content_allowed_in_email_notifications
  realm_message_content_delete_limit_seconds realm_message_content_edit_limit_seconds
  realm_message_retention_days realm_name realm_name_changes_disabled
  realm_name_in_notifications realm_night_logo_source realm_night_logo_url
  realm_non_active_users realm_notifications_stream_id realm_password_auth_enabled
  realm_plan_type realm_presence_disabled realm_private_message_policy
  realm_push_notifications_enabled realm_send_welcome_emails
  realm_signup_notifications_stream_id realm_upload_quota realm_uri realm_user_group_edit_policy
  realm_user_groups realm_users realm_video_chat_provider realm_waiting_period_threshold
  recent_private_conversations scheduled_messages server_avatar_changes_disabled
  server_generation server_inline_image_preview server_inline_url_embed_preview
  server_name_changes_disabled server_thumbnail_formats server_version
  settings_send_digest_emails starred_message_counts starred_messages stop_words
  stream_description_max_length stream_name_max_length streams subscriptions timezone
  translate_emoticons twenty_four_hour_time unread_msgs unsubscribed
  upgrade_text_for_wide_organization_logo user_id user_status wildcard_mentions_notify
`
  .trim()
  .split(/\s+/)

const headersOf = (generation: string | undefined): Record<string, string> =>
  generation === undefined ? {} : { 'X-Oxbow-Protocol': generation }

async function register(generation?: string, form: Record<string, string> = {}) {
  const { status, body, text } = await request(world.nodes.a.url, {
    method: 'POST',
    path: '/api/v1/register',
    credentials: iris,
    form,
    headers: headersOf(generation),
  })
  assert.equal(status, 200, text)
  const { result, msg, ...state } = body
  return state
}

test('a registration in the generation 27 that names no type has the same keys as ever', async () => {
  for (const generation of [undefined, '27', '370', 'newest'])
    assert.deepEqual(Object.keys(await register(generation)).toSorted(), keysOf27, generation)
})

test('the reported version and level do not depend on the generation', async () => {
  for (const generation of ['27', '371']) {
    const { chat_version, chat_feature_level } = await register(generation)
    assert.deepEqual({ chat_version, chat_feature_level }, { chat_version: '3.1', chat_feature_level: 27 })
    const { body } = await request(world.nodes.a.url, {
      path: '/api/v1/server_settings',
      headers: headersOf(generation),
    })
    assert.deepEqual([body.chat_version, body.chat_feature_level], ['3.1', 27])
  }
})

test('a queue keeps the generation with which it was opened', async () => {
  const generationOf = async (queue_id: unknown) => {
    const [row] = await world.database.query<{ generation: number }>(
      "select (options->>'generation')::int as generation from event_queue where id = $1",
      [queue_id],
    )
    return row?.generation
  }
  const { queue_id } = await register('371')
  await request(world.nodes.a.url, {
    path: '/api/v1/events',
    credentials: iris,
    query: { queue_id: String(queue_id), last_event_id: '-1', dont_block: 'true' },
    headers: headersOf('27'),
  })
  assert.equal(await generationOf(queue_id), 371)
  assert.equal(await generationOf((await register()).queue_id), 27)
})
