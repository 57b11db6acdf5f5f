-- Renames reactions whose emoji lost its name when the protocol's table became the server's: the name now belongs to
-- another emoji, or to none, so removing the reaction by its stored name would miss it. The code, which says what
-- the reaction shows, stays. A node of the release before may still store a former name while a fleet is upgraded;
-- such a reaction is shown and removed by its code.
update reaction
set emoji_name = renamed.emoji_name
from (values
  ('1f199', 'up', 'squared_up'),
  ('1f314', 'moon', 'waxing_moon'),
  ('1f396', 'medal', 'military_medal'),
  ('1f3ab', 'ticket', 'pass'),
  ('1f3c8', 'football', 'american_football'),
  ('1f3d5', 'camping', 'campsite'),
  ('1f3e3', 'post_office', 'japan_post'),
  ('1f42d', 'mouse', 'dormouse'),
  ('1f42e', 'cow', 'calf'),
  ('1f42f', 'tiger', 'tiger_cub'),
  ('1f430', 'rabbit_face', 'bunny'),
  ('1f431', 'cat_face', 'kitten'),
  ('1f434', 'horse', 'pony'),
  ('1f436', 'dog_face', 'puppy'),
  ('1f437', 'pig', 'piglet'),
  ('1f43e', 'feet', 'paw_prints'),
  ('1f48b', 'kiss', 'lipstick_kiss'),
  ('1f4ab', 'dizzy', 'seeing_stars'),
  ('1f4b9', 'chart', 'stock_market'),
  ('1f4c5', 'date', 'calendar'),
  ('1f4c6', 'tear_off_calendar', 'date'),
  ('1f4f0', 'newspaper', 'headlines'),
  ('1f509', 'sound', 'softer'),
  ('1f61b', 'face_with_stuck_out_tongue', 'mischievous'),
  ('1f687', 'metro', 'subway'),
  ('1f68a', 'tram', 'oncoming_tram'),
  ('1f68b', 'train', 'tram'),
  ('1f69a', 'truck', 'moving_truck'),
  ('1f6a5', 'traffic_light', 'horizontal_traffic_light'),
  ('1f6a7', 'construction', 'work_in_progress'),
  ('1f6f4', 'scooter', 'kick_scooter'),
  ('1f997', 'cricket', 'cricket_insect'),
  ('1f9fe', 'receipt', 'sales_receipt'),
  ('1fab2', 'beetle', 'scarab'),
  ('231b', 'hourglass_symbol', 'times_up'),
  ('261d', 'white_up_pointing_index', 'wait_one_second'),
  ('26f3', 'golf', 'hole_in_one'),
  ('27bf', 'loop', 'double_loop'),
  ('2b55', 'o', 'circle'),
  ('3299', 'secret', 'circled_ideograph_secret')
) as renamed (emoji_code, former_name, emoji_name)
where reaction.reaction_type = 'unicode_emoji'
  and reaction.emoji_code = renamed.emoji_code
  and reaction.emoji_name = renamed.former_name;
