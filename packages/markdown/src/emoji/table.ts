// Written by scripts/write-emoji-table.ts from emoji-datasource; do not edit by hand.

/**
 * Entries end in `|` and hold a canonical name and aliases. A first word ending in `>` is the distance from
 * the code point before, in base 36, when that is not 1; one with a hyphen is a whole code.
 */
export const emojiTable =
  '0023-20e3 hash|002a-20e3 keycap_star|0030-20e3 zero|0031-20e3 one|0032-20e3 two|0033-20e3 three|' +
  '0034-20e3 four|0035-20e3 five|0036-20e3 six|0037-20e3 seven|0038-20e3 eight|0039-20e3 nine|' +
  '4p> copyright|5> registered|68e> bangbang double_exclamation|d> interrobang|61> tm|' +
  'n> information_source|2j> left_right_arrow|arrow_up_down|arrow_upper_left|arrow_upper_right|' +
  'arrow_lower_right|arrow_lower_left|g> leftwards_arrow_with_hook|arrow_right_hook|a8> watch|' +
  'hourglass_symbol|d> keyboard|4n> eject|q> fast_forward|rewind|arrow_double_up|arrow_double_down|' +
  'black_right_pointing_double_triangle_with_vertical_bar|' +
  'black_left_pointing_double_triangle_with_vertical_bar|' +
  'black_right_pointing_triangle_with_double_vertical_bar|alarm_clock|stopwatch|timer_clock|' +
  'time_ticking hourglass hourglass_flowing_sand|5> double_vertical_bar|black_square_for_stop|' +
  'black_circle_for_record|5k> m|6g> black_small_square|white_small_square|b> arrow_forward|' +
  'a> arrow_backward|1n> white_medium_square|black_medium_square|white_medium_small_square|' +
  'black_medium_small_square|2> sunny|cloud overcast|umbrella|snowman|comet|a> phone telephone|' +
  '3> ballot_box_with_check|3> umbrella_with_rain_drops|coffee|3> shamrock|' +
  '5> white_up_pointing_index|3> skull_and_crossbones|2> radioactive_sign|biohazard_sign|' +
  '3> orthodox_cross|4> star_and_crescent|4> peace_symbol|yin_yang|9> wheel_of_dharma|' +
  'sad big_frown white_frowning_face|smile relaxed|6> female_sign|2> male_sign|6> aries|taurus|' +
  'gemini|cancer|leo|virgo|libra|scorpius|sagittarius|capricorn|aquarius|pisces|c> chess_pawn|' +
  'spades|3> clubs|2> hearts|diamonds|2> hotsprings|j> recycle|3> infinity|wheelchair|' +
  'j> hammer_and_pick|anchor|crossed_swords|medical_symbol staff_of_aesculapius|scales|alembic|' +
  '2> gear settings mechanical engineer|2> atom_symbol|fleur_de_lis|4> warning caution danger|' +
  'high_voltage zap|6> transgender_symbol|3> white_circle|black_circle|5> coffin|funeral_urn|' +
  'c> soccer|baseball|6> snowman_without_snow|partly_sunny|3> thunder_cloud_and_rain|6> ophiuchus|' +
  'pick|2> helmet_with_white_cross|2> chains|no_entry wrong_way|l> shinto_shrine|church|' +
  '6> mountain|umbrella_on_ground|fountain|golf|ferry|boat sailboat|2> skier|ice_skate|' +
  'person_with_ball|tent|3> fuelpump|5> scissors|3> check all_good approved white_check_mark|' +
  '3> airplane|email envelope mail|fist power|hand raised_hand|v|writing_hand|2> pencil pencil2|' +
  '3> black_nib|2> heavy_check_mark|2> heavy_multiplication_x|7> latin_cross|4> star_of_david|' +
  '7> sparkles glamour|b> eight_spoked_asterisk|eight_pointed_black_star|g> snowflake|3> sparkle|' +
  '5> cross_mark incorrect wrong|2> x negative_squared_cross_mark|5> question|grey_question|' +
  'grey_exclamation|2> exclamation heavy_exclamation_mark|c> heavy_heart_exclamation_mark_ornament|' +
  'heart love love_you|1d> heavy_plus_sign|heavy_minus_sign|heavy_division_sign|a> arrow_right|' +
  'f> curly_loop|f> loop|ad> arrow_heading_up|arrow_heading_down|cw> arrow_left|arrow_up|' +
  'arrow_down|k> black_large_square|white_large_square|1g> star|5> o|yj> wavy_dash|' +
  'd> part_alternation_mark|gq> circled_ideograph_congratulation|2> secret|2fzf> mahjong|' +
  '5n> black_joker|4h> a|b|d> o2|parking|f> ab|3> cl|cool|free|id|new|ng|squared_ok|sos|up|vs|' +
  '2v> koko|sa|o> u7121|l> u6307|3> u7981|u7a7a|u5408|u6e80|u6709|u6708|u7533|u5272|u55b6|' +
  'm> ideograph_advantage|accept|4v> cyclone|foggy|closed_umbrella|night_with_stars|' +
  'sunrise_over_mountains|sunrise|city_sunset|city_sunrise|rainbow pride lgbtq|bridge_at_night|' +
  'ocean|volcano|milky_way|earth_africa|earth_americas|earth_asia|globe_with_meridians|new_moon|' +
  'waxing_crescent_moon|first_quarter_moon|moon waxing_gibbous_moon|full_moon|waning_gibbous_moon|' +
  'last_quarter_moon|waning_crescent_moon|crescent_moon|new_moon_with_face|' +
  'first_quarter_moon_with_face|last_quarter_moon_with_face|full_moon_with_face|sun_with_face|' +
  'star2|stars|thermometer|3> mostly_sunny sun_small_cloud|barely_sunny sun_behind_cloud|' +
  'partly_sunny_rain sun_behind_rain_cloud|rain_cloud|snow_cloud|lightning lightning_cloud|' +
  'tornado tornado_cloud|fog|wind_blowing_face|hotdog|taco|burrito|chestnut|seedling|' +
  'evergreen_tree|deciduous_tree|palm_tree|cactus|hot_pepper|tulip|cherry_blossom|rose|hibiscus|' +
  'sunflower|blossom|corn|ear_of_rice|herb|four_leaf_clover|maple_leaf|fallen_leaf|leaves|mushroom|' +
  'tomato|eggplant|grapes|melon|watermelon|tangerine|lemon|banana|pineapple|apple|green_apple|pear|' +
  'peach|cherries|strawberry|hamburger|pizza|meat_on_bone|poultry_leg|rice_cracker|rice_ball|rice|' +
  'curry|ramen|spaghetti|bread|fries|sweet_potato|dango|oden|sushi|fried_shrimp|fish_cake|icecream|' +
  'shaved_ice|ice_cream|doughnut|cookie|chocolate_bar|candy|lollipop|custard|honey_pot|cake|bento|' +
  'stew|fried_egg cooking|fork_and_knife|tea|sake|wine_glass|cocktail|tropical_drink|beer|beers|' +
  'baby_bottle|knife_fork_plate|champagne|popcorn|ribbon|gift present|birthday|jack_o_lantern|' +
  'christmas_tree|santa|fireworks|sparkler|balloon celebration|tada congratulations|confetti_ball|' +
  'tanabata_tree|crossed_flags|bamboo|dolls|flags|wind_chime|rice_scene|school_satchel|' +
  'mortar_board|3> medal|reminder_ribbon|2> studio_microphone|level_slider|control_knobs|' +
  '3> film_frames|admission_tickets|carousel_horse|ferris_wheel|roller_coaster|' +
  'fishing_pole_and_fish|microphone|movie_camera|cinema|headphones|art|tophat|circus_tent|ticket|' +
  'clapper|performing_arts|video_game|dart|slot_machine|8ball|game_die|bowling|' +
  'flower_playing_cards|musical_note|notes|saxophone|guitar|musical_keyboard|trumpet|violin|' +
  'musical_score|running_shirt_with_sash|tennis|ski|basketball|checkered_flag race go start|' +
  'snowboarder|runner running|surfer|sports_medal|trophy winner|horse_racing|football|' +
  'rugby_football|swimmer|weight_lifter|golfer|racing_motorcycle|racing_car|cricket_bat_and_ball|' +
  'volleyball|field_hockey_stick_and_ball|ice_hockey_stick_and_puck|table_tennis_paddle_and_ball|' +
  'snow_capped_mountain|camping|beach_with_umbrella|building_construction|house_buildings|' +
  'cityscape|derelict_house_building|classical_building|desert|desert_island|national_park|stadium|' +
  'house|house_with_garden|office|post_office|european_post_office|hospital|bank|atm|hotel|' +
  'love_hotel|convenience_store|school|department_store|factory|izakaya_lantern lantern|' +
  'japanese_castle|european_castle|3> waving_white_flag|waving_black_flag|rosette|2> label|' +
  'badminton_racquet_and_shuttlecock|bow_and_arrow|amphora|6> rat|mouse2|ox|water_buffalo|cow2|' +
  'tiger2|leopard|rabbit rabbit2|cat meow cat2|dragon|crocodile|whale2|snail|snake|racehorse|ram|' +
  'goat|sheep|monkey|rooster|chicken|dog woof dog2|pig2|boar|elephant|octopus|shell|' +
  'bug caterpillar|ant|bee honeybee|ladybug lady_beetle|fish|tropical_fish|blowfish|' +
  'turtle tortoise|hatching_chick|baby_chick|hatched_chick|bird|penguin|koala|poodle|' +
  'dromedary_camel|camel|dolphin flipper|mouse|cow|tiger|rabbit_face|cat_face|dragon_face|whale|' +
  'horse|monkey_face|dog_face|pig|frog|hamster|wolf|bear|panda_face|pig_nose|feet paw_prints|' +
  'chipmunk|eyes looking|eye|ear|nose|lips|tongue|point_up this point_up_2|point_down|point_left|' +
  'point_right|facepunch punch|wave hello hi|ok got_it ok_hand|+1 thumbs_up like thumbsup|' +
  '-1 thumbs_down thumbsdown|clap applause|open_hands|crown|womans_hat|eyeglasses|necktie|' +
  'shirt tshirt|jeans|dress|kimono|bikini|womans_clothes|purse|handbag|pouch|mans_shoe shoe|' +
  'athletic_shoe|high_heel|sandal|boot|footprints|bust_in_silhouette|busts_in_silhouette|boy|girl|' +
  'man|woman|family|man_and_woman_holding_hands woman_and_man_holding_hands couple|' +
  'two_men_holding_hands men_holding_hands|two_women_holding_hands women_holding_hands|cop|dancers|' +
  'bride_with_veil|person_with_blond_hair|man_with_gua_pi_mao|man_with_turban|older_man|' +
  'older_woman|baby|construction_worker|princess|japanese_ogre|japanese_goblin|' +
  'ghost boo spooky haunted|angel|alien|space_invader|imp|skull|information_desk_person|guardsman|' +
  'dancer|lipstick|nail_care|massage|haircut|barber|syringe|pill|kiss|love_letter|ring|gem|' +
  'couplekiss|bouquet|couple_with_heart|wedding|heartbeat|broken_heart heartache|two_hearts|' +
  'sparkling_heart|heartpulse|cupid|blue_heart|green_heart envy|yellow_heart|purple_heart|' +
  'gift_heart|revolving_hearts|heart_decoration|diamond_shape_with_a_dot_inside|' +
  'light_bulb bulb idea|anger|bomb|zzz|boom explosion crash collision|sweat_drops|droplet|dash|' +
  'poop pile_of_poo hankey shit|muscle|dizzy|speech_balloon|thought_balloon|white_flower|' +
  '100 hundred|moneybag|currency_exchange|heavy_dollar_sign|credit_card|yen|dollar|euro|pound|' +
  'money_with_wings|chart|seat|computer laptop|briefcase|minidisc|floppy_disk|cd|dvd|file_folder|' +
  'open_file_folder|page_with_curl|page_facing_up|calendar date|tear_off_calendar|card_index|' +
  'chart_with_upwards_trend|chart_with_downwards_trend|bar_chart|clipboard|pushpin|round_pushpin|' +
  'paperclip|straight_ruler|triangular_ruler|bookmark_tabs|ledger|notebook|' +
  'notebook_with_decorative_cover|closed_book|book open_book|green_book|blue_book|orange_book|' +
  'books|name_badge|scroll|memo note|telephone_receiver|pager|fax|satellite_antenna|loudspeaker|' +
  'mega|outbox_tray|inbox_tray|package|e-mail|incoming_envelope|envelope_with_arrow|mailbox_closed|' +
  'mailbox|mailbox_with_mail|mailbox_with_no_mail|postbox|postal_horn|newspaper|iphone|calling|' +
  'vibration_mode|mobile_phone_off|no_mobile_phones|signal_strength|camera|camera_with_flash|' +
  'video_camera|tv|radio|vhs|film_projector|2> prayer_beads|twisted_rightwards_arrows|repeat|' +
  'repeat_one|arrows_clockwise|arrows_counterclockwise|low_brightness|high_brightness|mute|speaker|' +
  'sound|loud_sound|battery|electric_plug|mag|mag_right|lock_with_ink_pen|closed_lock_with_key|key|' +
  'lock|unlock|bell|no_bell|bookmark|link|radio_button|back|end|on|soon|top|underage|keycap_ten|' +
  'capital_abcd|abcd|1234|symbols|abc|fire lit hot flame|flashlight|fixing wrench|' +
  'hammer maintenance handyman handywoman|nut_and_bolt|hocho knife|gun|microscope|telescope|' +
  'crystal_ball|six_pointed_star|beginner|trident|black_square_button|white_square_button|' +
  'red_circle|large_blue_circle|large_orange_diamond|large_blue_diamond|small_orange_diamond|' +
  'small_blue_diamond|small_red_triangle|small_red_triangle_down|arrow_up_small|arrow_down_small|' +
  'c> om_symbol|dove_of_peace|kaaba|mosque|synagogue|menorah_with_nine_branches|2> clock1|clock2|' +
  'clock3|clock4|clock5|clock6|clock7|time clock clock8|clock9|clock10|clock11|clock12|clock130|' +
  'clock230|clock330|clock430|clock530|clock630|clock730|clock830|clock930|clock1030|clock1130|' +
  'clock1230|8> candle|mantelpiece_clock|3> hole|man_in_business_suit_levitating|sleuth_or_spy|' +
  'dark_sunglasses|spider|spider_web|joystick|man_dancing|d> linked_paperclips|' +
  '3> lower_left_ballpoint_pen|lower_left_fountain_pen|lower_left_paintbrush|lower_left_crayon|' +
  '3> raised_hand_with_fingers_splayed|5> middle_finger reversed_hand_with_middle_finger_extended|' +
  'spock-hand|e> black_heart|desktop_computer|3> printer|9> three_button_mouse|trackball|' +
  'a> frame_with_picture|6> card_index_dividers|card_file_box|file_cabinet|d> wastebasket|' +
  'spiral_note_pad|spiral_calendar_pad|9> compression|old_key|rolled_up_newspaper|3> dagger_knife|' +
  '2> speaking_head_in_silhouette|5> left_speech_bubble|7> right_anger_bubble|' +
  '4> ballot_box_with_ballot|7> world_map|mount_fuji|tokyo_tower|statue_of_liberty|japan|moyai|' +
  'grinning happy|grin|joy tears laughter_tears|smiley|big_smile|sweat_smile|' +
  'laughing lol satisfied|innocent halo|smiling_imp|wink|blush|yum|relieved|heart_eyes in_love|' +
  'sunglasses|smirk|neutral neutral_face|expressionless|unamused|sweat|pensive|' +
  'oh_no half_frown concerned confused|confounded|kissing|kissing_heart|kissing_smiling_eyes|' +
  'kissing_closed_eyes|face_with_stuck_out_tongue|stuck_out_tongue_winking_eye|' +
  'stuck_out_tongue stuck_out_tongue_closed_eyes|disappointed|worried|angry|' +
  'rage mad grumpy very_angry|cry|persevere|triumph|disappointed_relieved|frowning|anguished|' +
  'fearful|weary|sleepy|tired_face|grimacing|sob|open_mouth surprise|hushed|cold_sweat|scream|' +
  'astonished|flushed|sleeping|dizzy_face|no_mouth|mask|smile_cat|joy_cat|smiley_cat|' +
  'heart_eyes_cat|smirk_cat|kissing_cat|pouting_cat|crying_cat_face|scream_cat|' +
  'frown slight_frown slightly_frowning_face|slight_smile slightly_smiling_face|' +
  'upside_down oops upside_down_face|rolling_eyes face_with_rolling_eyes|no_good|ok_woman|bow|' +
  'see_no_evil|hear_no_evil|speak_no_evil|raising_hand|raised_hands praise|person_frowning|' +
  'person_with_pouting_face|pray welcome thank_you namaste|1d> rocket|helicopter|steam_locomotive|' +
  'railway_car|bullettrain_side|bullettrain_front|train2|metro|light_rail|station|tram|train|bus|' +
  'oncoming_bus|trolleybus|busstop|minibus|ambulance|fire_engine|police_car|oncoming_police_car|' +
  'taxi|oncoming_taxi|car red_car|oncoming_automobile|blue_car|truck|articulated_lorry|tractor|' +
  'monorail|mountain_railway|suspension_railway|mountain_cableway|aerial_tramway|ship|rowboat|' +
  'speedboat|traffic_light|vertical_traffic_light|construction|rotating_light|' +
  'triangular_flag_on_post|door|no_entry_sign|smoking|no_smoking|put_litter_in_its_place|' +
  'do_not_litter|potable_water|non-potable_water|bike bicycle|no_bicycles|bicyclist|' +
  'mountain_bicyclist|walking|no_pedestrians|children_crossing|mens|womens|restroom|baby_symbol|' +
  'toilet|wc|shower|bath|bathtub|passport_control|customs|baggage_claim|left_luggage|' +
  '6> couch_and_lamp|sleeping_accommodation|shopping_bags|bellhop_bell|bed|place_of_worship|' +
  'stop_sign octagonal_sign|shopping_trolley|3> hindu_temple|hut|elevator|5> wireless|' +
  'playground_slide|wheel|ring_buoy|working_on_it hammer_and_wrench tools|shield|oil_drum|motorway|' +
  'railway_track|motor_boat|4> small_airplane|2> airplane_departure|airplane_arriving|4> satellite|' +
  '3> passenger_ship|scooter|motor_scooter|canoe|sled|flying_saucer|skateboard|auto_rickshaw|' +
  'pickup_truck|roller_skate|6c> large_orange_circle|large_yellow_circle|large_green_circle|' +
  'large_purple_circle|large_brown_circle|large_red_square|large_blue_square|large_orange_square|' +
  'large_yellow_square|large_green_square|large_purple_square|large_brown_square|' +
  '5> heavy_equals_sign|7w> pinched_fingers|white_heart|brown_heart|pinching_hand|' +
  'zipper_mouth_face|money_mouth_face|face_with_thermometer|nerd geek nerd_face|' +
  'thinking thinking_face|face_with_head_bandage|robot robot_face|hug arms_open hugging_face|' +
  'the_horns sign_of_the_horns|call_me_hand|raised_back_of_hand|left-facing_fist|right-facing_fist|' +
  'handshake|crossed_fingers hand_with_index_and_middle_fingers_crossed|i_love_you_hand_sign|' +
  'face_with_cowboy_hat|clown_face|nauseated_face|rolling_on_the_floor_laughing rofl|drooling_face|' +
  'lying_face|face_palm|sneezing_face|face_with_raised_eyebrow face_with_one_eyebrow_raised|' +
  'star-struck grinning_face_with_star_eyes|' +
  'zany_face grinning_face_with_one_large_and_one_small_eye|' +
  'shushing_face face_with_finger_covering_closed_lips|' +
  'face_with_symbols_on_mouth serious_face_with_symbols_covering_mouth|' +
  'face_with_hand_over_mouth smiling_face_with_smiling_eyes_and_hand_covering_mouth|' +
  'face_vomiting face_with_open_mouth_vomiting|exploding_head shocked_face_with_exploding_head|' +
  'pregnant_woman|breast-feeding|palms_up_together|selfie|prince|person_in_tuxedo|' +
  'mrs_claus mother_christmas|shrug|person_doing_cartwheel|juggling|fencer|2> wrestlers|water_polo|' +
  'handball|diving_mask|wilted_flower|drum_with_drumsticks|clinking_glasses|tumbler_glass|spoon|' +
  'goal_net|2> first_place_medal|second_place_medal|third_place_medal|boxing_glove|' +
  'martial_arts_uniform|curling_stone|lacrosse|softball|flying_disc|croissant|avocado|cucumber|' +
  'bacon|potato|carrot|baguette_bread|green_salad|shallow_pan_of_food|stuffed_flatbread|egg|' +
  'glass_of_milk|peanuts|kiwifruit|pancakes|dumpling|fortune_cookie|takeout_box|chopsticks|' +
  'bowl_with_spoon|cup_with_straw|coconut|broccoli|pie|pretzel|cut_of_meat|sandwich|canned_food|' +
  'leafy_green|mango|moon_cake|bagel|smiling_face_with_3_hearts|yawning_face|' +
  'smiling_face_with_tear|partying_face|woozy_face|hot_face|cold_face|ninja|disguised_face|' +
  'face_holding_back_tears|pleading_face|sari|lab_coat|goggles|hiking_boot|womans_flat_shoe|crab|' +
  'lion_face|scorpion|turkey|unicorn unicorn_face|eagle|duck|bat|shark|owl|fox_face|butterfly|deer|' +
  'gorilla|lizard|rhinoceros|shrimp|squid|giraffe_face|zebra_face|hedgehog|sauropod|t-rex|cricket|' +
  'kangaroo|llama|peacock|hippopotamus|parrot|raccoon|lobster|mosquito|microbe|badger|swan|mammoth|' +
  'dodo|sloth|otter|orangutan|skunk|flamingo|oyster|beaver|bison|seal|guide_dog|probing_cane|' +
  '5> bone|leg|foot|tooth|superhero|supervillain|safety_vest|ear_with_hearing_aid|' +
  'motorized_wheelchair|manual_wheelchair|mechanical_arm|mechanical_leg|cheese_wedge|cupcake|salt|' +
  'beverage_box|garlic|onion|falafel|waffle|butter|mate_drink|ice_cube|bubble_tea|troll|' +
  'standing_person|kneeling_person|deaf_person|face_with_monocle|adult|child|older_adult|' +
  'bearded_person|person_with_headscarf|person_in_steamy_room|person_climbing|' +
  'person_in_lotus_position|mage|fairy|vampire|merperson|elf|genie|zombie|brain|orange_heart|' +
  'billed_cap|scarf|gloves|coat|socks|red_envelope|firecracker|jigsaw|test_tube|petri_dish|dna|' +
  'compass|abacus|fire_extinguisher|toolbox|bricks|magnet|luggage|lotion_bottle|thread|yarn|' +
  'safety_pin|teddy_bear|broom|basket|roll_of_paper|soap|sponge|receipt|nazar_amulet|' +
  '35> ballet_shoes|one-piece_swimsuit|briefs|shorts|thong_sandal|light_blue_heart|grey_heart|' +
  'pink_heart|drop_of_blood|adhesive_bandage|stethoscope|x-ray|crutch|4> yo-yo|kite|parachute|' +
  'boomerang|magic_wand|pinata|nesting_dolls|maracas|flute|harp|6> shovel|ringed_planet|chair|' +
  'razor|axe|diya_lamp|banjo|military_helmet|accordion|long_drum|coin|carpentry_saw|screwdriver|' +
  'ladder|hook|mirror|window|plunger|sewing_needle|knot|bucket|mouse_trap|toothbrush|headstone|' +
  'placard|rock|mirror_ball|identification_card|low_battery|hamsa|folding_hand_fan|hair_pick|' +
  'khanda|fly|worm|beetle|cockroach|potted_plant|wood|feather|lotus|coral|empty_nest|' +
  'nest_with_eggs|hyacinth|jellyfish|wing|leafless_tree|goose|anatomical_heart|lungs|' +
  'people_hugging|pregnant_man|pregnant_person|person_with_crown|fingerprint|8> moose|donkey|' +
  'blueberries|bell_pepper|olive|flatbread|tamale|fondue|teapot|pouring_liquid|beans|jar|' +
  'ginger_root|pea_pod|root_vegetable|3> splatter|melting_face|saluting_face|' +
  'face_with_open_eyes_and_hand_over_mouth|face_with_peeking_eye|face_with_diagonal_mouth|' +
  'dotted_line_face|biting_lip|bubbles|shaking_face|face_with_bags_under_eyes|' +
  '7> hand_with_index_finger_and_thumb_crossed|rightwards_hand|leftwards_hand|palm_down_hand|' +
  'palm_up_hand|index_pointing_at_the_viewer|heart_hands|leftwards_pushing_hand|' +
  'rightwards_pushing_hand|'
