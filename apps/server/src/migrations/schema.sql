CREATE FUNCTION public.hold_actor(roles_key bigint, alone boolean, organization bigint, account bigint) RETURNS TABLE(role smallint, is_active boolean, api_key_hash bytea)
    LANGUAGE plpgsql
    AS $$
begin
  if alone then
    perform pg_advisory_xact_lock(roles_key);
  else
    perform pg_advisory_xact_lock_shared(roles_key);
  end if;
  return query select u.role, u.is_active, u.api_key_hash from user_account u
    where u.organization_id = organization and u.id = account;
end $$;

CREATE TABLE public.default_stream (
    organization_id bigint NOT NULL,
    stream_id bigint NOT NULL
);

CREATE TABLE public.default_stream_group (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    description text NOT NULL
);

ALTER TABLE public.default_stream_group ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.default_stream_group_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.default_stream_group_stream (
    organization_id bigint NOT NULL,
    group_id bigint NOT NULL,
    stream_id bigint NOT NULL
);

CREATE TABLE public.email_change (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    user_id bigint NOT NULL,
    new_email text NOT NULL,
    key_hash bytea NOT NULL,
    key_sealed bytea NOT NULL,
    origin text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone
);

ALTER TABLE public.email_change ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.email_change_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.event_batch (
    part integer NOT NULL,
    organization_id bigint NOT NULL,
    first_seq bigint NOT NULL,
    last_seq bigint NOT NULL,
    records text
)
PARTITION BY LIST (part);

CREATE TABLE public.event_head (
    organization_id bigint NOT NULL,
    last_seq bigint NOT NULL,
    dropped_seq bigint DEFAULT 0 NOT NULL,
    moved_at timestamp with time zone DEFAULT now() NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.event_log (
    only_row boolean DEFAULT true NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    system_identifier text NOT NULL,
    timeline text NOT NULL,
    outbox_floor bigint DEFAULT 0 NOT NULL,
    CONSTRAINT event_log_only_row_check CHECK (only_row)
);

CREATE TABLE public.event_part (
    part integer NOT NULL,
    began_at timestamp with time zone DEFAULT now() NOT NULL,
    ended_at timestamp with time zone
);

CREATE TABLE public.event_queue (
    id text NOT NULL,
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    cut_seq bigint NOT NULL,
    cut_snapshot pg_snapshot NOT NULL,
    options json NOT NULL,
    lifespan_seconds integer NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL
)
WITH (fillfactor='70');

CREATE TABLE public.idempotent_answer (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    answer json NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.login_attempt (
    organization_id bigint NOT NULL,
    username text NOT NULL,
    attempted_at timestamp with time zone[] NOT NULL
);

CREATE SEQUENCE public.message_id
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.muted_topic (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    stream_id bigint NOT NULL,
    topic text NOT NULL,
    folded_topic text NOT NULL,
    muted_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.organization (
    id bigint NOT NULL,
    subdomain text NOT NULL,
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    deactivated_at timestamp with time zone,
    email_address_visibility smallint DEFAULT 1 NOT NULL,
    emails_restricted_to_domains boolean DEFAULT false NOT NULL,
    disallow_disposable_email_addresses boolean DEFAULT true NOT NULL,
    name_changes_disabled boolean DEFAULT false NOT NULL,
    email_changes_disabled boolean DEFAULT false NOT NULL,
    bot_creation_policy smallint DEFAULT 1 NOT NULL,
    disabled_authentication_methods text[] DEFAULT '{}'::text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    add_emoji_by_admins_only boolean DEFAULT false NOT NULL,
    allow_community_topic_editing boolean DEFAULT true NOT NULL,
    allow_edit_history boolean DEFAULT true NOT NULL,
    allow_message_deleting boolean DEFAULT false NOT NULL,
    allow_message_editing boolean DEFAULT true NOT NULL,
    avatar_changes_disabled boolean DEFAULT false NOT NULL,
    create_stream_policy smallint DEFAULT 1 NOT NULL,
    default_code_block_language text,
    default_language text DEFAULT 'en'::text NOT NULL,
    default_twenty_four_hour_time boolean DEFAULT false NOT NULL,
    digest_emails_enabled boolean DEFAULT false NOT NULL,
    digest_weekday smallint DEFAULT 1 NOT NULL,
    icon_source text DEFAULT 'external'::text NOT NULL,
    inline_image_preview boolean DEFAULT true NOT NULL,
    inline_url_embed_preview boolean DEFAULT false NOT NULL,
    invite_by_admins_only boolean DEFAULT false NOT NULL,
    invite_required boolean DEFAULT true NOT NULL,
    invite_to_stream_policy smallint DEFAULT 1 NOT NULL,
    logo_source text DEFAULT 'default'::text NOT NULL,
    mandatory_topics boolean DEFAULT false NOT NULL,
    message_content_allowed_in_email_notifications boolean DEFAULT true NOT NULL,
    message_content_delete_limit_seconds integer DEFAULT 600 NOT NULL,
    message_content_edit_limit_seconds integer DEFAULT 600 NOT NULL,
    message_retention_days integer DEFAULT '-1'::integer NOT NULL,
    night_logo_source text DEFAULT 'default'::text NOT NULL,
    notifications_stream_id bigint,
    plan_type smallint DEFAULT 1 NOT NULL,
    private_message_policy smallint DEFAULT 1 NOT NULL,
    send_welcome_emails boolean DEFAULT true NOT NULL,
    signup_notifications_stream_id bigint,
    user_group_edit_policy smallint DEFAULT 1 NOT NULL,
    video_chat_provider smallint DEFAULT 1 NOT NULL,
    waiting_period_threshold integer DEFAULT 0 NOT NULL,
    CONSTRAINT organization_bot_creation_policy_check CHECK (((bot_creation_policy >= 1) AND (bot_creation_policy <= 3))),
    CONSTRAINT organization_create_stream_policy_check CHECK (((create_stream_policy >= 1) AND (create_stream_policy <= 3))),
    CONSTRAINT organization_digest_weekday_check CHECK (((digest_weekday >= 0) AND (digest_weekday <= 6))),
    CONSTRAINT organization_email_address_visibility_check CHECK ((email_address_visibility = ANY (ARRAY[1, 3, 4]))),
    CONSTRAINT organization_icon_source_check CHECK ((icon_source = ANY (ARRAY['external'::text, 'uploaded'::text]))),
    CONSTRAINT organization_invite_to_stream_policy_check CHECK (((invite_to_stream_policy >= 1) AND (invite_to_stream_policy <= 3))),
    CONSTRAINT organization_logo_source_check CHECK ((logo_source = ANY (ARRAY['default'::text, 'uploaded'::text]))),
    CONSTRAINT organization_message_content_delete_limit_seconds_check CHECK ((message_content_delete_limit_seconds >= 0)),
    CONSTRAINT organization_message_content_edit_limit_seconds_check CHECK ((message_content_edit_limit_seconds >= 0)),
    CONSTRAINT organization_message_retention_days_check CHECK (((message_retention_days = '-1'::integer) OR (message_retention_days > 0))),
    CONSTRAINT organization_night_logo_source_check CHECK ((night_logo_source = ANY (ARRAY['default'::text, 'uploaded'::text]))),
    CONSTRAINT organization_plan_type_check CHECK (((plan_type >= 1) AND (plan_type <= 4))),
    CONSTRAINT organization_private_message_policy_check CHECK ((private_message_policy = ANY (ARRAY[1, 2]))),
    CONSTRAINT organization_subdomain_check CHECK ((subdomain ~ '^([a-z0-9]([a-z0-9-]*[a-z0-9])?)?$'::text)),
    CONSTRAINT organization_user_group_edit_policy_check CHECK ((user_group_edit_policy = ANY (ARRAY[1, 2]))),
    CONSTRAINT organization_video_chat_provider_check CHECK ((video_chat_provider >= 0)),
    CONSTRAINT organization_waiting_period_threshold_check CHECK ((waiting_period_threshold >= 0))
);

CREATE TABLE public.organization_domain (
    organization_id bigint NOT NULL,
    domain text NOT NULL,
    allow_subdomains boolean NOT NULL,
    CONSTRAINT organization_domain_domain_check CHECK ((domain = lower(domain)))
);

ALTER TABLE public.organization ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.organization_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE SEQUENCE public.outbox_id
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE public.outbox (
    tx xid8 DEFAULT pg_current_xact_id() NOT NULL,
    id bigint DEFAULT nextval('public.outbox_id'::regclass) NOT NULL,
    organization_id bigint NOT NULL,
    width integer DEFAULT 1 NOT NULL,
    header json NOT NULL,
    event text,
    CONSTRAINT outbox_width_check CHECK ((width > 0))
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='10000', autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='1000000');

CREATE TABLE public.profile_field (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    type smallint NOT NULL,
    hint text NOT NULL,
    field_data text NOT NULL,
    "position" bigint NOT NULL,
    CONSTRAINT profile_field_type_check CHECK (((type >= 1) AND (type <= 7)))
);

ALTER TABLE public.profile_field ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.profile_field_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.profile_value (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    field_id bigint NOT NULL,
    value text NOT NULL,
    rendered_value text
);

CREATE TABLE public.role_period (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    role smallint NOT NULL,
    from_outbox_id bigint NOT NULL,
    to_outbox_id bigint,
    from_message_id bigint NOT NULL,
    to_message_id bigint
);

CREATE TABLE public.schema_migration (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.server (
    only_row boolean DEFAULT true NOT NULL,
    secret_fingerprint bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT server_only_row_check CHECK (only_row)
);

CREATE TABLE public.stream (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    folded_name text NOT NULL,
    description text NOT NULL,
    rendered_description text NOT NULL,
    invite_only boolean NOT NULL,
    history_public_to_subscribers boolean NOT NULL,
    stream_post_policy smallint NOT NULL,
    message_retention_days integer,
    email_token text DEFAULT replace((gen_random_uuid())::text, '-'::text, ''::text) NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    archived_at timestamp with time zone,
    CONSTRAINT stream_check CHECK ((invite_only OR history_public_to_subscribers)),
    CONSTRAINT stream_message_retention_days_check CHECK (((message_retention_days = '-1'::integer) OR (message_retention_days > 0))),
    CONSTRAINT stream_stream_post_policy_check CHECK (((stream_post_policy >= 1) AND (stream_post_policy <= 3)))
);

ALTER TABLE public.stream ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.stream_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.stream_traffic (
    organization_id bigint NOT NULL,
    stream_id bigint NOT NULL,
    day date NOT NULL,
    messages integer NOT NULL,
    CONSTRAINT stream_traffic_messages_check CHECK ((messages > 0))
);

CREATE TABLE public.subscription (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    stream_id bigint NOT NULL,
    is_active boolean NOT NULL,
    color text NOT NULL,
    is_muted boolean DEFAULT false NOT NULL,
    pin_to_top boolean DEFAULT false NOT NULL,
    desktop_notifications boolean,
    audible_notifications boolean,
    push_notifications boolean,
    email_notifications boolean,
    wildcard_mentions_notify boolean
);

CREATE TABLE public.subscription_period (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    stream_id bigint NOT NULL,
    from_outbox_id bigint NOT NULL,
    to_outbox_id bigint,
    from_message_id bigint NOT NULL,
    to_message_id bigint
);

CREATE TABLE public.user_account (
    organization_id bigint NOT NULL,
    id bigint NOT NULL,
    delivery_email text NOT NULL,
    full_name text NOT NULL,
    role smallint NOT NULL,
    is_active boolean DEFAULT true NOT NULL,
    bot_type smallint,
    bot_owner_id bigint,
    password_hash text,
    api_key_hash bytea NOT NULL,
    api_key_sealed bytea NOT NULL,
    avatar_source text DEFAULT 'external'::text NOT NULL,
    avatar_version integer DEFAULT 1 NOT NULL,
    timezone text DEFAULT ''::text NOT NULL,
    date_joined timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT user_account_avatar_source_check CHECK ((avatar_source = ANY (ARRAY['external'::text, 'uploaded'::text]))),
    CONSTRAINT user_account_bot_type_check CHECK (((bot_type >= 1) AND (bot_type <= 4))),
    CONSTRAINT user_account_check CHECK (((bot_owner_id IS NULL) OR (bot_type IS NOT NULL))),
    CONSTRAINT user_account_check1 CHECK (((bot_type IS NULL) OR (password_hash IS NULL))),
    CONSTRAINT user_account_role_check CHECK ((role = ANY (ARRAY[100, 200, 400, 600])))
);

ALTER TABLE public.user_account ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.user_account_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.user_setting (
    organization_id bigint NOT NULL,
    user_id bigint NOT NULL,
    enter_sends boolean DEFAULT false NOT NULL,
    color_scheme smallint DEFAULT 1 NOT NULL,
    default_language text DEFAULT 'en'::text NOT NULL,
    demote_inactive_streams smallint DEFAULT 1 NOT NULL,
    dense_mode boolean DEFAULT true NOT NULL,
    emojiset text DEFAULT 'google-blob'::text NOT NULL,
    fluid_layout_width boolean DEFAULT false NOT NULL,
    high_contrast_mode boolean DEFAULT false NOT NULL,
    left_side_userlist boolean DEFAULT false NOT NULL,
    starred_message_counts boolean DEFAULT false NOT NULL,
    translate_emoticons boolean DEFAULT false NOT NULL,
    twenty_four_hour_time boolean DEFAULT false NOT NULL,
    desktop_icon_count_display smallint DEFAULT 1 NOT NULL,
    enable_desktop_notifications boolean DEFAULT true NOT NULL,
    enable_digest_emails boolean DEFAULT true NOT NULL,
    enable_login_emails boolean DEFAULT true NOT NULL,
    enable_offline_email_notifications boolean DEFAULT true NOT NULL,
    enable_offline_push_notifications boolean DEFAULT true NOT NULL,
    enable_online_push_notifications boolean DEFAULT true NOT NULL,
    enable_sounds boolean DEFAULT true NOT NULL,
    enable_stream_audible_notifications boolean DEFAULT false NOT NULL,
    enable_stream_desktop_notifications boolean DEFAULT false NOT NULL,
    enable_stream_email_notifications boolean DEFAULT false NOT NULL,
    enable_stream_push_notifications boolean DEFAULT false NOT NULL,
    message_content_in_email_notifications boolean DEFAULT true NOT NULL,
    notification_sound text DEFAULT 'chat'::text NOT NULL,
    pm_content_in_desktop_notifications boolean DEFAULT true NOT NULL,
    presence_enabled boolean DEFAULT true NOT NULL,
    realm_name_in_notifications boolean DEFAULT false NOT NULL,
    wildcard_mentions_notify boolean DEFAULT true NOT NULL,
    CONSTRAINT user_setting_color_scheme_check CHECK (((color_scheme >= 1) AND (color_scheme <= 3))),
    CONSTRAINT user_setting_demote_inactive_streams_check CHECK (((demote_inactive_streams >= 1) AND (demote_inactive_streams <= 3))),
    CONSTRAINT user_setting_desktop_icon_count_display_check CHECK (((desktop_icon_count_display >= 1) AND (desktop_icon_count_display <= 3))),
    CONSTRAINT user_setting_emojiset_check CHECK ((emojiset = ANY (ARRAY['google'::text, 'google-blob'::text, 'twitter'::text, 'text'::text])))
);

ALTER TABLE ONLY public.default_stream_group
    ADD CONSTRAINT default_stream_group_name_key UNIQUE (organization_id, name);

ALTER TABLE ONLY public.default_stream_group
    ADD CONSTRAINT default_stream_group_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.default_stream_group_stream
    ADD CONSTRAINT default_stream_group_stream_pkey PRIMARY KEY (organization_id, group_id, stream_id);

ALTER TABLE ONLY public.default_stream
    ADD CONSTRAINT default_stream_pkey PRIMARY KEY (organization_id, stream_id);

ALTER TABLE ONLY public.email_change
    ADD CONSTRAINT email_change_key_hash_key UNIQUE (key_hash);

ALTER TABLE ONLY public.email_change
    ADD CONSTRAINT email_change_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.event_batch
    ADD CONSTRAINT event_batch_pkey PRIMARY KEY (part, organization_id, last_seq);

ALTER TABLE ONLY public.event_head
    ADD CONSTRAINT event_head_pkey PRIMARY KEY (organization_id);

ALTER TABLE ONLY public.event_log
    ADD CONSTRAINT event_log_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY public.event_part
    ADD CONSTRAINT event_part_pkey PRIMARY KEY (part);

ALTER TABLE ONLY public.event_queue
    ADD CONSTRAINT event_queue_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.idempotent_answer
    ADD CONSTRAINT idempotent_answer_pkey PRIMARY KEY (organization_id, user_id, key);

ALTER TABLE ONLY public.login_attempt
    ADD CONSTRAINT login_attempt_pkey PRIMARY KEY (organization_id, username);

ALTER TABLE ONLY public.muted_topic
    ADD CONSTRAINT muted_topic_pkey PRIMARY KEY (organization_id, user_id, stream_id, folded_topic);

ALTER TABLE ONLY public.organization_domain
    ADD CONSTRAINT organization_domain_pkey PRIMARY KEY (organization_id, domain);

ALTER TABLE ONLY public.organization
    ADD CONSTRAINT organization_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.organization
    ADD CONSTRAINT organization_subdomain_key UNIQUE (subdomain);

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.profile_field
    ADD CONSTRAINT profile_field_name_key UNIQUE (organization_id, name);

ALTER TABLE ONLY public.profile_field
    ADD CONSTRAINT profile_field_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.profile_value
    ADD CONSTRAINT profile_value_pkey PRIMARY KEY (organization_id, user_id, field_id);

ALTER TABLE ONLY public.role_period
    ADD CONSTRAINT role_period_pkey PRIMARY KEY (organization_id, user_id, from_outbox_id);

ALTER TABLE ONLY public.schema_migration
    ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.server
    ADD CONSTRAINT server_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY public.stream
    ADD CONSTRAINT stream_email_token_key UNIQUE (email_token);

ALTER TABLE ONLY public.stream
    ADD CONSTRAINT stream_name_key UNIQUE (organization_id, folded_name);

ALTER TABLE ONLY public.stream
    ADD CONSTRAINT stream_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.stream_traffic
    ADD CONSTRAINT stream_traffic_pkey PRIMARY KEY (organization_id, stream_id, day);

ALTER TABLE ONLY public.subscription_period
    ADD CONSTRAINT subscription_period_pkey PRIMARY KEY (organization_id, user_id, stream_id, from_outbox_id);

ALTER TABLE ONLY public.subscription
    ADD CONSTRAINT subscription_pkey PRIMARY KEY (organization_id, user_id, stream_id);

ALTER TABLE ONLY public.user_account
    ADD CONSTRAINT user_account_api_key_hash_key UNIQUE (api_key_hash);

ALTER TABLE ONLY public.user_account
    ADD CONSTRAINT user_account_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.user_setting
    ADD CONSTRAINT user_setting_pkey PRIMARY KEY (organization_id, user_id);

CREATE INDEX default_stream_group_stream_stream ON public.default_stream_group_stream USING btree (organization_id, stream_id);

CREATE INDEX email_change_created ON public.email_change USING btree (created_at);

CREATE INDEX email_change_user ON public.email_change USING btree (organization_id, user_id);

CREATE INDEX event_queue_user ON public.event_queue USING btree (organization_id, user_id);

CREATE INDEX idempotent_answer_created ON public.idempotent_answer USING btree (created_at);

CREATE INDEX muted_topic_stream ON public.muted_topic USING btree (organization_id, stream_id);

CREATE INDEX profile_value_field ON public.profile_value USING btree (organization_id, field_id);

CREATE INDEX role_period_began ON public.role_period USING btree (organization_id, from_outbox_id);

CREATE UNIQUE INDEX role_period_open ON public.role_period USING btree (organization_id, user_id) WHERE (to_outbox_id IS NULL);

CREATE INDEX subscription_members ON public.subscription USING btree (organization_id, stream_id, user_id) WHERE is_active;

CREATE INDEX subscription_period_ended ON public.subscription_period USING btree (organization_id, stream_id, to_outbox_id) WHERE (to_outbox_id IS NOT NULL);

CREATE UNIQUE INDEX subscription_period_open ON public.subscription_period USING btree (organization_id, stream_id, user_id) INCLUDE (from_outbox_id) WHERE (to_outbox_id IS NULL);

CREATE INDEX user_account_bot_owner ON public.user_account USING btree (organization_id, bot_owner_id) WHERE (bot_owner_id IS NOT NULL);

CREATE UNIQUE INDEX user_account_email_key ON public.user_account USING btree (organization_id, lower(delivery_email));

CREATE INDEX user_account_inactive ON public.user_account USING btree (organization_id, id) WHERE (NOT is_active);

CREATE INDEX user_account_owners ON public.user_account USING btree (organization_id) WHERE (role = 100);

ALTER TABLE ONLY public.default_stream_group
    ADD CONSTRAINT default_stream_group_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.default_stream_group_stream
    ADD CONSTRAINT default_stream_group_stream_organization_id_group_id_fkey FOREIGN KEY (organization_id, group_id) REFERENCES public.default_stream_group(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.default_stream_group_stream
    ADD CONSTRAINT default_stream_group_stream_organization_id_stream_id_fkey FOREIGN KEY (organization_id, stream_id) REFERENCES public.stream(organization_id, id);

ALTER TABLE ONLY public.default_stream
    ADD CONSTRAINT default_stream_organization_id_stream_id_fkey FOREIGN KEY (organization_id, stream_id) REFERENCES public.stream(organization_id, id);

ALTER TABLE ONLY public.email_change
    ADD CONSTRAINT email_change_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.event_head
    ADD CONSTRAINT event_head_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.event_queue
    ADD CONSTRAINT event_queue_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.idempotent_answer
    ADD CONSTRAINT idempotent_answer_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.login_attempt
    ADD CONSTRAINT login_attempt_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.muted_topic
    ADD CONSTRAINT muted_topic_organization_id_stream_id_fkey FOREIGN KEY (organization_id, stream_id) REFERENCES public.stream(organization_id, id);

ALTER TABLE ONLY public.muted_topic
    ADD CONSTRAINT muted_topic_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.organization_domain
    ADD CONSTRAINT organization_domain_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.profile_field
    ADD CONSTRAINT profile_field_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.profile_value
    ADD CONSTRAINT profile_value_organization_id_field_id_fkey FOREIGN KEY (organization_id, field_id) REFERENCES public.profile_field(organization_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY public.profile_value
    ADD CONSTRAINT profile_value_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.role_period
    ADD CONSTRAINT role_period_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.stream
    ADD CONSTRAINT stream_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.stream_traffic
    ADD CONSTRAINT stream_traffic_organization_id_stream_id_fkey FOREIGN KEY (organization_id, stream_id) REFERENCES public.stream(organization_id, id);

ALTER TABLE ONLY public.subscription
    ADD CONSTRAINT subscription_organization_id_stream_id_fkey FOREIGN KEY (organization_id, stream_id) REFERENCES public.stream(organization_id, id);

ALTER TABLE ONLY public.subscription
    ADD CONSTRAINT subscription_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.subscription_period
    ADD CONSTRAINT subscription_period_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.user_account
    ADD CONSTRAINT user_account_organization_id_bot_owner_id_fkey FOREIGN KEY (organization_id, bot_owner_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.user_account
    ADD CONSTRAINT user_account_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

ALTER TABLE ONLY public.user_setting
    ADD CONSTRAINT user_setting_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);
