-- Descriptions of streams and values of profiles are part of the state that every client registers with. Formulas made
-- their HTML up to a hundred times as long as the text. Where it is longer than what is stored from now on, the escaped
-- text replaces it.
create function escaped_paragraph(body text) returns text language sql immutable as $$
  select '<p>' || replace(replace(replace(replace(replace(body,
    '&', '&#38;'), '<', '&#60;'), '>', '&#62;'), '"', '&#34;'), '''', '&#39;') || '</p>'
$$;

update stream set rendered_description = escaped_paragraph(description) where char_length(rendered_description) > 4096;
update profile_value set rendered_value = escaped_paragraph(value) where char_length(rendered_value) > 4096;

drop function escaped_paragraph;
