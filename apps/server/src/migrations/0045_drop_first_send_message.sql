-- Replaced by the version with words (0009), before any release that is still in use.
drop function send_message(
  bigint, bigint, bytea, bigint, bigint, bigint, bigint[], text, bigint, text, bytea, text, text,
  text, text, text, boolean, boolean, boolean, bigint[], boolean[], boolean[], bigint[], bigint[],
  text, text, text, text);
