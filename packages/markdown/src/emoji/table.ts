// Written by scripts/write-emoji-table.ts from protocol-emoji-names.txt and emoji-datasource; do
// not edit by hand.

/**
 * Each entry has a canonical name and aliases, and ends with `|`. A first word with a hyphen is the
 * whole code. A first word that ends with `>` is the distance from the previous code point, in base
 * 36; otherwise the distance is 1.
 */
export const emojiTable =
  '0023-20e3 hash|002a-20e3 asterisk keycap_star|0030-20e3 zero|0031-20e3 one|0032-20e3 two|' +
  '0033-20e3 three|0034-20e3 four|0035-20e3 five|0036-20e3 six|0037-20e3 seven|0038-20e3 eight|' +
  '0039-20e3 nine|4p> copyright|5> registered|68e> bangbang double_exclamation|d> interrobang|' +
  '61> tm trademark|n> info information_source|2j> left_right swap left_right_arrow|' +
  'up_down arrow_up_down|upper_left north_west arrow_upper_left|' +
  'upper_right north_east arrow_upper_right|lower_right south_east arrow_lower_right|' +
  'lower_left south_west arrow_lower_left|g> reply left_hook leftwards_arrow_with_hook|' +
  'forward right_hook arrow_right_hook|a8> watch|times_up hourglass_done|d> keyboard|4n> eject|' +
  'q> fast_forward|rewind fast_reverse|double_up fast_up arrow_double_up|' +
  'double_down fast_down arrow_double_down|' +
  'next_track skip_forward black_right_pointing_double_triangle_with_vertical_bar|' +
  'previous_track skip_back black_left_pointing_double_triangle_with_vertical_bar|' +
  'play_pause black_right_pointing_triangle_with_double_vertical_bar|alarm_clock|stopwatch|' +
  'timer timer_clock|time_ticking hourglass hourglass_flowing_sand|5> pause double_vertical_bar|' +
  'stop_button black_square_for_stop|record black_circle_for_record|5k> metro m|' +
  '6g> black_small_square|white_small_square|b> play arrow_forward|a> play_reverse arrow_backward|' +
  '1n> white_medium_square|black_medium_square|white_medium_small_square|black_medium_small_square|' +
  '2> sunny|cloud overcast|umbrella|snowman|comet meteor|a> phone telephone|' +
  '3> checkbox ballot_box_with_check|3> umbrella_with_rain umbrella_with_rain_drops|coffee|' +
  '3> shamrock clover|5> wait_one_second point_of_information asking_a_question|' +
  '3> skull_and_crossbones pirate death hazard toxic poison|' +
  '2> radioactive nuclear radioactive_sign|biohazard biohazard_sign|3> orthodox_cross|' +
  '4> star_and_crescent islam|4> peace peace_symbol|yin_yang|9> wheel_of_dharma buddhism|' +
  'sad big_frown white_frowning_face|smile relaxed|6> female_sign|2> male_sign|6> aries|taurus|' +
  'gemini|cancer|leo|virgo|libra|scorpius|sagittarius|capricorn|aquarius|pisces|c> chess_pawn|' +
  'spades|3> clubs|2> hearts|diamonds|2> hot_springs hotsprings|j> recycle|3> infinity|' +
  'accessible wheelchair disabled|j> at_work hammer_and_pick|anchor|duel swords crossed_swords|' +
  'medical_symbol staff_of_aesculapius|justice scales balance|alchemy alembic|' +
  '2> gear settings mechanical engineer|2> atom physics atom_symbol|fleur_de_lis|' +
  '4> warning caution danger|high_voltage zap|6> transgender_symbol|3> white_circle|black_circle|' +
  '5> coffin burial grave|funeral_urn cremation|c> football soccer|baseball|' +
  '6> frosty snowman_without_snow|partly_sunny partly_cloudy|' +
  '3> thunderstorm thunder_and_rain thunder_cloud_and_rain|6> ophiuchus|mine pick|' +
  '2> helmet hard_hat rescue_worker safety_first invincible helmet_with_white_cross|2> chains|' +
  'no_entry wrong_way|l> shinto_shrine|church|6> mountain|beach_umbrella umbrella_on_ground|' +
  'fountain|hole_in_one|ferry|boat sailboat|2> skier|ice_skate|ball sports person_with_ball|' +
  'tent camping|3> fuel_pump gas_pump petrol_pump fuelpump|5> scissors|' +
  '3> check all_good approved white_check_mark|3> airplane|email envelope mail|fist power|' +
  'hand raised_hand|peace_sign victory v|writing writing_hand|2> pencil pencil2|3> black_nib|' +
  '2> check_mark heavy_check_mark|2> multiplication multiply heavy_multiplication_x|' +
  '7> cross christianity latin_cross|4> star_of_david judiasm|7> sparkles glamour|' +
  'b> eight_spoked_asterisk|eight_pointed_star eight_pointed_black_star|g> snowflake|3> sparkle|' +
  '5> cross_mark incorrect wrong|2> x negative_squared_cross_mark|5> question|grey_question|' +
  'grey_exclamation|2> exclamation heavy_exclamation_mark|' +
  'c> heart_exclamation heavy_heart_exclamation_mark_ornament|heart love love_you|' +
  '1d> plus add heavy_plus_sign|minus subtract heavy_minus_sign|' +
  'division divide heavy_division_sign|a> right east arrow_right|f> loop curly_loop|' +
  'f> double_loop voicemail|ad> heading_up arrow_heading_up|heading_down arrow_heading_down|' +
  'cw> left west arrow_left|up north arrow_up|down south arrow_down|k> black_large_square|' +
  'white_large_square|1g> star|5> circle|yj> wavy_dash|d> part_alternation part_alternation_mark|' +
  'gq> circled_ideograph_congratulation|2> circled_ideograph_secret|2fzf> mahjong|' +
  '5n> joker black_joker|4h> a|b|d> o o2|parking p|f> ab|3> cl|cool|free|id|new|ng|squared_ok|sos|' +
  'squared_up|vs|2v> koko|sa|o> u7121|l> u6307|3> u7981|u7a7a|u5408|u6e80|u6709|u6708|u7533|u5272|' +
  'u55b6|m> ideograph_advantage|accept|4v> cyclone hurricane typhoon|foggy|closed_umbrella|' +
  'night night_with_stars|mountain_sunrise sunrise_over_mountains|sunrise ocean_sunrise|' +
  'sunset city_sunset|city_sunrise|rainbow pride lgbtq|bridge bridge_at_night|ocean|volcano|' +
  'milky_way night_sky|earth_africa|earth_americas|earth_asia|www globe globe_with_meridians|' +
  'new_moon|waxing_crescent_moon|first_quarter_moon|waxing_moon waxing_gibbous_moon|full_moon|' +
  'waning_gibbous_moon|last_quarter_moon|waning_crescent_moon|moon crescent_moon|' +
  'new_moon_face new_moon_with_face|goodnight first_quarter_moon_with_face|' +
  'last_quarter_moon_with_face|moon_face full_moon_with_face|sun_face sun_with_face|' +
  'glowing_star star2|shooting_star wish stars|temperature thermometer warm|' +
  '3> mostly_sunny sun_small_cloud|cloudy barely_sunny sun_behind_cloud|' +
  'sunshowers sun_and_rain partly_sunny_with_rain partly_sunny_rain sun_behind_rain_cloud|' +
  'rainy soaked drenched rain_cloud|snowy snowstorm snow_cloud|' +
  'lightning lightning_storm lightning_cloud|tornado tornado_cloud|fog hazy|' +
  'windy mother_nature wind_blowing_face|hotdog|taco|burrito|chestnut|seedling sprout|' +
  'evergreen_tree|tree deciduous_tree|palm_tree|cactus|hot_pepper chili_pepper|tulip flower|' +
  'cherry_blossom|rose|hibiscus|sunflower|blossom|corn maize|harvest ear_of_rice|herb plant|' +
  'lucky four_leaf_clover|maple_leaf|fallen_leaf|leaves wind fall|mushroom|tomato|eggplant|grapes|' +
  'melon|watermelon|orange tangerine mandarin|lemon|banana|pineapple|apple|green_apple|pear|peach|' +
  'cherries|strawberry|hamburger|pizza|meat meat_on_bone|drumstick poultry poultry_leg|' +
  'senbei rice_cracker|onigiri rice_ball|rice|curry|ramen noodles|spaghetti|bread|fries|' +
  'yam sweet_potato|dango|oden|sushi|tempura fried_shrimp|naruto fish_cake|' +
  'soft_serve soft_ice_cream icecream|shaved_ice|ice_cream gelato|donut doughnut|cookie|' +
  'chocolate chocolate_bar|candy|lollipop|custard flan|honey honey_pot|cake|bento|food soup stew|' +
  'cooking fried_egg|fork_and_knife eating_utensils|tea|sake|wine wine_glass|cocktail|' +
  'tropical_drink|beer|beers|baby_bottle|' +
  'hungry meal table_setting fork_and_knife_with_plate lets_eat knife_fork_plate|champagne|popcorn|' +
  'ribbon decoration|gift present|birthday|jack-o-lantern pumpkin jack_o_lantern|' +
  'holiday_tree christmas_tree|santa|fireworks|sparkler|balloon celebration|tada congratulations|' +
  'confetti party_ball confetti_ball|wish_tree tanabata_tree|crossed_flags solidarity|bamboo|dolls|' +
  'carp_streamer flags|wind_chime|moon_ceremony rice_scene|backpack satchel school_satchel|' +
  'graduate mortar_board|3> military_medal|reminder_ribbon|2> studio_microphone|' +
  'volume level_slider|control_knobs|3> film film_frames|ticket admission_tickets|' +
  'carousel merry_go_round carousel_horse|ferris_wheel|roller_coaster|' +
  'fishing fishing_pole_and_fish|microphone mike mic|movie_camera|cinema movie_theater|headphones|' +
  'art palette painting|top_hat tophat|circus circus_tent|pass|action clapper|' +
  'performing_arts drama theater|video_game|direct_hit darts bulls_eye dart|slot_machine|' +
  'billiards pool 8_ball 8ball|dice die game_die|strike bowling|playing_cards flower_playing_cards|' +
  'music musical_note|musical_notes notes|saxophone|guitar|piano musical_keyboard|trumpet|violin|' +
  'musical_score|running_shirt running_shirt_with_sash|tennis|ski|basketball|' +
  'checkered_flag race go start|snowboarder|running runner|surf surfer|medal sports_medal|' +
  'trophy winner|horse_racing horse_riding|american_football|rugby rugby_football|swim swimmer|' +
  'lift work_out weight_lift gym weight_lifter|golf golfer|motorcycle racing_motorcycle|' +
  'racecar racing_car|cricket cricket_bat cricket_bat_and_ball|volleyball|' +
  'field_hockey field_hockey_stick_and_ball|ice_hockey ice_hockey_stick_and_puck|' +
  'ping_pong table_tennis table_tennis_paddle_and_ball|snowy_mountain snow_capped_mountain|' +
  'campsite|beach beach_with_umbrella|construction building_construction|houses house_buildings|' +
  'city skyline cityscape|derelict_house condemned derelict_house_building|classical_building|' +
  'desert|island desert_island|national_park|stadium|house|suburb house_with_garden|office|' +
  'japan_post|post_office european_post_office|hospital|bank|atm|hotel|love_hotel|' +
  'convenience_store|school|department_store|factory|lantern izakaya_lantern|shiro japanese_castle|' +
  'castle european_castle|3> white_flag surrender waving_white_flag|black_flag waving_black_flag|' +
  'rosette|2> label tag price_tag|badminton badminton_racquet_and_shuttlecock|' +
  'bow_and_arrow archery|vase amphora|6> rat|mouse mouse2|ox bull|water_buffalo|cow cow2|' +
  'tiger tiger2|leopard|rabbit rabbit2|cat meow cat2|dragon|crocodile|humpback_whale whale2|snail|' +
  'snake hiss|horse racehorse|ram|goat|sheep baa|monkey|rooster alarm cock-a-doodle-doo|' +
  'chicken cluck|dog woof dog2|pig oink pig2|boar|elephant|octopus|' +
  'shell seashell conch spiral_shell|bug caterpillar|ant|bee buzz honeybee|' +
  'beetle ladybug lady_beetle|fish|tropical_fish|blowfish|turtle tortoise|hatching hatching_chick|' +
  'chick baby_chick|new_baby hatched_chick|bird|penguin|koala|poodle|arabian_camel dromedary_camel|' +
  'camel|dolphin flipper|dormouse|calf|tiger_cub|bunny|kitten|dragon_face|whale|pony|monkey_face|' +
  'puppy|piglet|frog|hamster|wolf|bear|panda panda_face|pig_nose|paw_prints paws|chipmunk|' +
  'eyes looking|eye|ear|nose|lips mouth|tongue|point_up this point_up_2|point_down|point_left|' +
  'point_right|fist_bump punch facepunch|wave hello hi|ok got_it ok_hand|' +
  '+1 thumbs_up like thumbsup|-1 thumbs_down thumbsdown|clap applause|open_hands|crown queen king|' +
  'hat womans_hat|glasses spectacles eyeglasses|tie necktie|shirt tshirt|jeans denim|dress|kimono|' +
  'bikini|clothing womans_clothes|purse|handbag|pouch|shoe mans_shoe|' +
  'athletic_shoe sneaker running_shoe|high_heels high_heel|sandal flip_flops|boot|footprints feet|' +
  'silhouette shadow bust_in_silhouette|silhouettes shadows busts_in_silhouette|boy|girl|man|woman|' +
  'family|man_and_woman_holding_hands man_and_woman_couple woman_and_man_holding_hands couple|' +
  'two_men_holding_hands men_couple men_holding_hands|' +
  'two_women_holding_hands women_couple women_holding_hands|police cop|dancers|' +
  'bride bride_with_veil|person_with_blond_hair|gua_pi_mao man_with_gua_pi_mao|' +
  'turban man_with_turban|older_man elderly_man|older_woman elderly_woman|baby|construction_worker|' +
  'princess|ogre japanese_ogre|goblin japanese_goblin|ghost boo spooky haunted|angel|alien ufo|' +
  'space_invader|devil imp angry_devil|skull|information_desk_person person_tipping_hand|' +
  'guard guardsman|dancer|lipstick|nail_polish nail_care|massage|haircut|barber striped_pole|' +
  'injection syringe|medicine pill|lipstick_kiss|love_letter|ring|gem crystal|couplekiss|bouquet|' +
  'couple_with_heart|wedding|heartbeat|broken_heart heartache|two_hearts|sparkling_heart|' +
  'heart_pulse growing_heart heartpulse|cupid smitten heart_arrow|blue_heart|green_heart envy|' +
  'yellow_heart heart_of_gold|purple_heart bravery|gift_heart|revolving_hearts|' +
  'heart_box heart_decoration|cute kawaii diamond_with_a_dot diamond_shape_with_a_dot_inside|' +
  'light_bulb bulb idea|anger bam pow|bomb|zzz|boom explosion crash collision|sweat_drops|' +
  'drop water_drop droplet|dash|poop pile_of_poo hankey shit|muscle|seeing_stars|' +
  'umm speech_balloon|thought dream thought_balloon|white_flower|100 hundred|money moneybag|' +
  'exchange currency_exchange|dollars heavy_dollar_sign|credit_card debit_card|yen_banknotes yen|' +
  'dollar_bills dollar|euro_banknotes euro|pound_notes pound|' +
  'losing_money easy_come_easy_go money_with_wings|stock_market|seat|computer laptop|briefcase|' +
  'gold_record minidisc|floppy_disk|cd|dvd|organize file_folder|folder open_file_folder|' +
  'receipt page_with_curl|document paper file page page_facing_up|calendar|date|rolodex card_index|' +
  'chart upwards_trend growing increasing chart_with_upwards_trend|' +
  'downwards_trend shrinking decreasing chart_with_downwards_trend|bar_chart|clipboard|' +
  'push_pin thumb_tack pushpin|pin sewing_pin round_pushpin|paperclip attachment|' +
  'ruler straightedge straight_ruler|carpenter_square triangular_ruler|place_holder bookmark_tabs|' +
  'ledger spiral_notebook|notebook composition_book|' +
  'decorative_notebook notebook_with_decorative_cover|red_book closed_book|book open_book|' +
  'green_book|blue_book|orange_book|books|name_badge|scroll|memo note|' +
  'landline home_phone telephone_receiver|pager|fax|satellite_antenna|loudspeaker bullhorn|' +
  'megaphone shout mega|outbox outbox_tray|inbox inbox_tray|package|e-mail|' +
  'mail_received incoming_envelope|mail_sent sealed envelope_with_arrow|' +
  'closed_mailbox mailbox_closed|mailbox|unread_mail mailbox_with_mail|' +
  'inbox_zero empty_mailbox no_mail mailbox_with_no_mail|mail_dropoff postbox|horn postal_horn|' +
  'headlines|mobile_phone smartphone iphone android|calling|vibration_mode|' +
  'phone_off mobile_phone_off|no_phones no_mobile_phones|' +
  'cell_reception signal_strength signal_bars|camera|taking_a_picture say_cheese camera_with_flash|' +
  'video_camera video_recorder|tv television|radio|vhs videocassette|' +
  'projector movie film_projector|2> prayer_beads|shuffle twisted_rightwards_arrows|repeat|' +
  'repeat_one|clockwise arrows_clockwise|counterclockwise return arrows_counterclockwise|' +
  'low_brightness dim|brightness high_brightness|mute no_sound|speaker|softer|' +
  'louder sound loud_sound|battery full_battery|electric_plug|search find magnifying_glass mag|' +
  'mag_right|privacy key_signing digital_security protected lock_with_ink_pen|' +
  'secure lock_with_key safe commitment loyalty closed_lock_with_key|key|locked lock|' +
  'unlocked unlock|notifications bell|mute_notifications no_bell|bookmark|link|radio_button|back|' +
  'end|on|soon|top|underage nc17|ten keycap_ten|capital_abcd capital_letters|abcd alphabet|' +
  '1234 numbers|symbols|abc|fire lit hot flame|flashlight|fixing wrench|' +
  'hammer maintenance handyman handywoman|nut_and_bolt screw|knife hocho betrayed|gun|' +
  'science microscope scientist|telescope|crystal_ball oracle future fortune_telling|' +
  'six_pointed_star|beginner|trident|white_and_black_square black_square_button|' +
  'black_and_white_square white_square_button|red_circle|blue_circle large_blue_circle|' +
  'large_orange_diamond|large_blue_diamond|small_orange_diamond|small_blue_diamond|' +
  'red_triangle_up small_red_triangle|red_triangle_down small_red_triangle_down|' +
  'upvote up_button increase arrow_up_small|downvote down_button decrease arrow_down_small|' +
  'c> om hinduism om_symbol|dove dove_of_peace|kaaba|mosque|synagogue|' +
  'menorah menorah_with_nine_branches|2> clock1|clock2|clock3|clock4|clock5|clock6|clock7|' +
  'time clock clock8|clock9|clock10|clock11|clock12|clock130|clock230|clock330|clock430|clock530|' +
  'clock630|clock730|clock830|clock930|clock1030|clock1130|clock1230|8> candle|mantelpiece_clock|' +
  '3> hole|levitating hover man_in_business_suit_levitating|' +
  'detective spy sleuth agent sneaky sleuth_or_spy|dark_sunglasses|spider|web spider_web|' +
  'joystick arcade|dancing disco man_dancing|' +
  'd> office_supplies paperclip_chain linked linked_paperclips|' +
  '3> pen ballpoint_pen lower_left_ballpoint_pen|fountain_pen lower_left_fountain_pen|' +
  'paintbrush lower_left_paintbrush|crayon lower_left_crayon|' +
  '3> high_five palm raised_hand_with_fingers_splayed|' +
  '5> middle_finger reversed_hand_with_middle_finger_extended|' +
  'spock live_long_and_prosper spock-hand|e> black_heart|desktop_computer|3> printer|' +
  '9> computer_mouse three_button_mouse|trackball|a> picture framed_picture frame_with_picture|' +
  '6> sort card_index_dividers|archive card_file_box|file_cabinet|d> wastebasket trash_can|' +
  'spiral_notepad spiral_note_pad|spiral_calendar_pad|9> compression vise|' +
  'secret dungeon old_key encrypted clue hint|newspaper swat rolled_up_newspaper|' +
  '3> dagger rated_for_violence dagger_knife|2> speaking_head speaking_head_in_silhouette|' +
  '5> speech_bubble left_speech_bubble|7> anger_bubble right_anger_bubble|' +
  '4> ballot_box ballot_box_with_ballot|7> map world_map road_trip|mount_fuji|tower tokyo_tower|' +
  'statue new_york statue_of_liberty|japan|rock_carving moyai|grinning happy|' +
  'grinning_face_with_smiling_eyes grin|joy tears laughter_tears|smiley|big_smile|sweat_smile|' +
  'laughing lol satisfied|innocent halo|smiling_devil smiling_imp smiling_face_with_horns|wink|' +
  'blush|yum|relieved|heart_eyes in_love|sunglasses|smirk smug|neutral neutral_face|expressionless|' +
  'unamused|sweat|pensive tired|oh_no half_frown concerned confused|confounded agony|kiss kissing|' +
  'heart_kiss blow_a_kiss kissing_heart|kiss_smiling_eyes kissing_smiling_eyes|' +
  'kiss_with_blush kissing_closed_eyes|mischievous|' +
  'stuck_out_tongue_wink joking crazy stuck_out_tongue_winking_eye|' +
  'stuck_out_tongue stuck_out_tongue_closed_eyes|disappointed|worried|angry|' +
  'rage mad grumpy very_angry|cry|persevere helpless|triumph|' +
  'exhausted disappointed_relieved stressed|frowning|anguished pained|fear scared shock fearful|' +
  'weary distraught|sleepy|anguish tired_face|grimacing nervous anxious|sob|open_mouth surprise|' +
  'hushed|cold_sweat|scream|astonished|flushed embarrassed blushing|sleeping|dizzy dizzy_face|' +
  'speechless no_mouth blank poker_face|cant_talk mask|smile_cat|joy_cat|smiley_cat|heart_eyes_cat|' +
  'smirk_cat smug_cat|kissing_cat|angry_cat pouting_cat|crying_cat crying_cat_face|' +
  'scream_cat weary_cat|frown slight_frown slightly_frowning_face|' +
  'slight_smile slightly_smiling_face|upside_down oops upside_down_face|' +
  'rolling_eyes face_with_rolling_eyes|no_signal nope no_good|ok_signal ok_woman|bow|see_no_evil|' +
  'hear_no_evil|speak_no_evil|raising_hand pick_me|raised_hands praise|person_frowning|' +
  'person_pouting person_with_pouting_face|pray welcome thank_you namaste|1d> rocket|helicopter|' +
  'train steam_locomotive|railway_car train_car|high_speed_train bullettrain_side|' +
  'bullet_train bullettrain_front|oncoming_train train2|subway|light_rail|station|' +
  'oncoming_tram oncoming_streetcar oncoming_trolley|tram streetcar|bus school_bus|oncoming_bus|' +
  'trolley trolleybus|bus_stop busstop|minibus|ambulance|fire_truck fire_engine|police_car|' +
  'oncoming_police_car|taxi rideshare|oncoming_taxi|car red_car|oncoming_car oncoming_automobile|' +
  'recreational_vehicle jeep blue_car|moving_truck|' +
  'truck tractor-trailer big_rig semi_truck transport_truck articulated_lorry|tractor|' +
  'monorail elevated_train|mountain_railway|suspension_railway|gondola mountain_cableway|' +
  'aerial_tramway ski_lift|ship|rowboat crew sculling rowing|speedboat|horizontal_traffic_light|' +
  'traffic_light vertical_traffic_light|work_in_progress construction_zone|' +
  'siren rotating_light alert|triangular_flag triangular_flag_on_post|door|' +
  'prohibited not_allowed no_entry_sign|smoking|no_smoking|put_litter_in_its_place|do_not_litter|' +
  'potable_water tap_water drinking_water|non-potable_water|bike bicycle|no_bicycles|' +
  'cyclist bicyclist|mountain_biker mountain_bicyclist|walking pedestrian|no_pedestrians|' +
  'children_crossing school_crossing drive_with_care|mens|womens|restroom|' +
  'baby_change_station nursery baby_symbol|toilet|wc water_closet|shower|bath|bathtub|' +
  'passport_control immigration|customs|baggage_claim|locker locked_bag left_luggage|' +
  '6> living_room furniture couch_and_lamp lifestyles|' +
  'in_bed accommodations guestrooms sleeping_accommodation|shopping_bags|' +
  'bellhop_bell reception services ding|bed bedroom|place_of_worship|stop_sign octagonal_sign|' +
  'shopping_cart shopping_trolley|3> hindu_temple|hut|elevator|5> wireless|playground_slide|wheel|' +
  'ring_buoy|working_on_it hammer_and_wrench tools|shield|oil_drum commodities|road motorway|' +
  'railway_track train_tracks|motor_boat|4> small_airplane|' +
  '2> take_off departure airplane_departure|landing arrival airplane_arrival airplane_arriving|' +
  '4> satellite|3> passenger_ship yacht cruise|kick_scooter|scooter motor_bike motor_scooter|canoe|' +
  'sled|flying_saucer|skateboard|auto_rickshaw|pickup_truck|roller_skate|6c> large_orange_circle|' +
  'large_yellow_circle|large_green_circle|large_purple_circle|large_brown_circle|large_red_square|' +
  'large_blue_square|large_orange_square|large_yellow_square|large_green_square|' +
  'large_purple_square|large_brown_square|5> heavy_equals_sign|7w> pinched_fingers|white_heart|' +
  'brown_heart|pinching_hand|silence quiet hush zip_it lips_are_sealed zipper_mouth_face|' +
  'money_face kaching money_mouth_face|sick flu face_with_thermometer ill fever|' +
  'nerd geek nerd_face|thinking thinking_face|hurt head_bandage injured face_with_head_bandage|' +
  'robot robot_face|hug arms_open hugging_face|rock_on sign_of_the_horns the_horns|' +
  'call_me call_me_hand|stop raised_back_of_hand|left_fist left-facing_fist|' +
  'right_fist right-facing_fist|handshake done_deal|' +
  'fingers_crossed crossed_fingers hand_with_index_and_middle_fingers_crossed|i_love_you_hand_sign|' +
  'cowboy face_with_cowboy_hat|clown clown_face|nauseated queasy nauseated_face|' +
  'rolling_on_the_floor_laughing rofl|drooling drooling_face|lying lying_face|face_palm|' +
  'sneezing sneezing_face|face_with_raised_eyebrow face_with_one_eyebrow_raised|' +
  'star-struck grinning_face_with_star_eyes|' +
  'zany_face grinning_face_with_one_large_and_one_small_eye|' +
  'shushing_face face_with_finger_covering_closed_lips|' +
  'face_with_symbols_on_mouth serious_face_with_symbols_covering_mouth|' +
  'face_with_hand_over_mouth smiling_face_with_smiling_eyes_and_hand_covering_mouth|' +
  'face_vomiting face_with_open_mouth_vomiting|exploding_head shocked_face_with_exploding_head|' +
  'pregnant expecting pregnant_woman|breast-feeding|palms_up_together|selfie|prince|' +
  'tuxedo person_in_tuxedo|mother_christmas mrs_claus|shrug|' +
  'cartwheel acrobatics gymnastics tumbling person_doing_cartwheel|juggling|fencing fencer|' +
  '2> wrestling wrestlers|water_polo|handball|diving_mask|wilted_flower crushed|' +
  'drum drum_with_drumsticks|clink toast clinking_glasses|small_glass tumbler_glass|spoon|' +
  'gooooooooal goal goal_net|2> first_place gold number_one first_place_medal|' +
  'second_place silver second_place_medal|third_place bronze third_place_medal|boxing_glove|' +
  'black_belt keikogi dogi martial_arts martial_arts_uniform|curling_stone|lacrosse|softball|' +
  'flying_disc|croissant|avocado|cucumber|bacon|potato|carrot|baguette baguette_bread|' +
  'salad green_salad|paella shallow_pan_of_food|doner_kebab shawarma souvlaki stuffed_flatbread|' +
  'egg|milk glass_of_milk|peanuts|kiwi kiwifruit|pancakes breakfast|dumpling|fortune_cookie|' +
  'takeout_box|chopsticks|bowl_with_spoon|cup_with_straw|coconut|broccoli|pie|pretzel|cut_of_meat|' +
  'sandwich|canned_food|leafy_green|mango|moon_cake|bagel|smiling_face_with_3_hearts|yawning_face|' +
  'smiling_face_with_tear|partying_face|woozy_face|hot_face|cold_face|ninja|disguised_face|' +
  'face_holding_back_tears|pleading_face|sari|lab_coat|goggles|hiking_boot|womans_flat_shoe|crab|' +
  'lion lion_face|scorpion|turkey|unicorn unicorn_face|eagle|duck|bat|shark|owl|fox fox_face|' +
  'butterfly|deer|gorilla|lizard gecko|rhinoceros|shrimp|squid|giraffe_face|zebra_face|hedgehog|' +
  'sauropod|t-rex|cricket_insect|kangaroo|llama|peacock|hippopotamus|parrot|raccoon|lobster|' +
  'mosquito|microbe|badger|swan|mammoth|dodo|sloth|otter|orangutan|skunk|flamingo|oyster|beaver|' +
  'bison|seal|guide_dog|probing_cane|5> bone|leg|foot|tooth|superhero|supervillain|safety_vest|' +
  'ear_with_hearing_aid|motorized_wheelchair|manual_wheelchair|mechanical_arm|mechanical_leg|' +
  'cheese cheese_wedge|cupcake|salt|beverage_box|garlic|onion|falafel|waffle|butter|mate_drink|' +
  'ice_cube|bubble_tea|troll|standing_person|kneeling_person|deaf_person|face_with_monocle|adult|' +
  'child|older_adult|bearded_person|person_with_headscarf|person_in_steamy_room|person_climbing|' +
  'person_in_lotus_position|mage|fairy|vampire|merperson|elf|genie|zombie|brain|orange_heart|' +
  'billed_cap|scarf|gloves|coat|socks|red_envelope|firecracker|jigsaw|test_tube|petri_dish|dna|' +
  'compass|abacus|fire_extinguisher|toolbox|bricks|magnet|luggage|lotion_bottle|thread|yarn|' +
  'safety_pin|teddy_bear|broom|basket|roll_of_paper|soap|sponge|sales_receipt|nazar_amulet|' +
  '35> ballet_shoes|one-piece_swimsuit|briefs|shorts|thong_sandal|light_blue_heart|grey_heart|' +
  'pink_heart|drop_of_blood|adhesive_bandage|stethoscope|x-ray|crutch|4> yo-yo|kite|parachute|' +
  'boomerang|magic_wand|pinata|nesting_dolls|maracas|flute|harp|6> shovel|ringed_planet|chair|' +
  'razor|axe|diya_lamp|banjo|military_helmet|accordion|long_drum|coin|carpentry_saw|screwdriver|' +
  'ladder|hook|mirror|window|plunger|sewing_needle|knot|bucket|mouse_trap|toothbrush|headstone|' +
  'placard|rock|mirror_ball|identification_card|low_battery|hamsa|folding_hand_fan|hair_pick|' +
  'khanda|fly|worm|scarab|cockroach|potted_plant|wood|feather|lotus|coral|empty_nest|' +
  'nest_with_eggs|hyacinth|jellyfish|wing|leafless_tree|goose|anatomical_heart|lungs|' +
  'people_hugging|pregnant_man|pregnant_person|person_with_crown|fingerprint|8> moose|donkey|' +
  'blueberries|bell_pepper|olive|flatbread|tamale|fondue|teapot|pouring_liquid|beans|jar|' +
  'ginger_root|pea_pod|root_vegetable|3> splatter|melting_face|saluting_face|' +
  'face_with_open_eyes_and_hand_over_mouth|face_with_peeking_eye|face_with_diagonal_mouth|' +
  'dotted_line_face|biting_lip|bubbles|shaking_face|face_with_bags_under_eyes|' +
  '7> hand_with_index_finger_and_thumb_crossed|rightwards_hand|leftwards_hand|palm_down_hand|' +
  'palm_up_hand|index_pointing_at_the_viewer|heart_hands|leftwards_pushing_hand|' +
  'rightwards_pushing_hand|'
