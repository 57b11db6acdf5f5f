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
    CONSTRAINT organization_bot_creation_policy_check CHECK (((bot_creation_policy >= 1) AND (bot_creation_policy <= 3))),
    CONSTRAINT organization_email_address_visibility_check CHECK ((email_address_visibility = ANY (ARRAY[1, 3, 4]))),
    CONSTRAINT organization_subdomain_check CHECK ((subdomain ~ '^([a-z0-9]([a-z0-9-]*[a-z0-9])?)?$'::text))
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

ALTER TABLE ONLY public.email_change
    ADD CONSTRAINT email_change_key_hash_key UNIQUE (key_hash);

ALTER TABLE ONLY public.email_change
    ADD CONSTRAINT email_change_pkey PRIMARY KEY (organization_id, id);

ALTER TABLE ONLY public.login_attempt
    ADD CONSTRAINT login_attempt_pkey PRIMARY KEY (organization_id, username);

ALTER TABLE ONLY public.organization_domain
    ADD CONSTRAINT organization_domain_pkey PRIMARY KEY (organization_id, domain);

ALTER TABLE ONLY public.organization
    ADD CONSTRAINT organization_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.organization
    ADD CONSTRAINT organization_subdomain_key UNIQUE (subdomain);

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

ALTER TABLE ONLY public.user_account
    ADD CONSTRAINT user_account_api_key_hash_key UNIQUE (api_key_hash);

ALTER TABLE ONLY public.user_account
    ADD CONSTRAINT user_account_pkey PRIMARY KEY (organization_id, id);

CREATE INDEX email_change_created ON public.email_change USING btree (created_at);

CREATE INDEX email_change_user ON public.email_change USING btree (organization_id, user_id);

CREATE INDEX profile_value_field ON public.profile_value USING btree (organization_id, field_id);

CREATE UNIQUE INDEX role_period_open ON public.role_period USING btree (organization_id, user_id) WHERE (to_outbox_id IS NULL);

CREATE INDEX user_account_bot_owner ON public.user_account USING btree (organization_id, bot_owner_id) WHERE (bot_owner_id IS NOT NULL);

CREATE UNIQUE INDEX user_account_email_key ON public.user_account USING btree (organization_id, lower(delivery_email));

CREATE INDEX user_account_owners ON public.user_account USING btree (organization_id) WHERE (role = 100);

ALTER TABLE ONLY public.email_change
    ADD CONSTRAINT email_change_organization_id_user_id_fkey FOREIGN KEY (organization_id, user_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.login_attempt
    ADD CONSTRAINT login_attempt_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);

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

ALTER TABLE ONLY public.user_account
    ADD CONSTRAINT user_account_organization_id_bot_owner_id_fkey FOREIGN KEY (organization_id, bot_owner_id) REFERENCES public.user_account(organization_id, id);

ALTER TABLE ONLY public.user_account
    ADD CONSTRAINT user_account_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organization(id);
