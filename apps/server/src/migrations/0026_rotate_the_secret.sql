alter table server
  -- The secret before, of which seals may be left until secret_rotated_at.
  add column old_secret_fingerprint bytea,
  -- The key of keyed hashes, sealed with the secret. Null: it is derived from the secret, which was never changed.
  add column hash_key_sealed bytea,
  -- When the last seal of the old secret was rewritten; null as long as that goes on.
  add column secret_rotated_at timestamptz;

-- Running nodes, and which seals they can open: the secret changes only once all of them know the new one.
create table node_secret (
  node uuid primary key,
  -- The first bytes of seals that the node opens, and of those that it makes.
  opens bytea[] not null,
  seals_with bytea not null,
  seen_at timestamptz not null
);
