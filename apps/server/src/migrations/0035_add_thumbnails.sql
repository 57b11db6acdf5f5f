-- Thumbnails of uploaded pictures are in the file store, beside the originals.
alter table upload
  -- Whether the picture moves; null if that is not known.
  add column is_animated boolean,
  -- The formats of the thumbnails; null before they were drawn.
  add column thumbnail_formats text[],
  -- Attempts to draw thumbnails since the last success. After a few no further one is made.
  add column thumbnail_attempts smallint not null default 0;
