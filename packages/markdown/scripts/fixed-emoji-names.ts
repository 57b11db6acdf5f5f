/**
 * Names the protocol fixes: code, canonical name, aliases. They win over the data package's names.
 */
export const fixedEmojiNames = `
1f600 grinning happy · 1f603 smiley · 1f604 big_smile · 1f606 laughing lol · 1f605 sweat_smile ·
1f602 joy tears laughter_tears · 1f923 rolling_on_the_floor_laughing rofl · 263a smile relaxed · 1f60a blush ·
1f607 innocent halo · 1f642 slight_smile · 1f643 upside_down oops · 1f609 wink · 1f60d heart_eyes in_love ·
1f61d stuck_out_tongue · 1f914 thinking · 1f610 neutral · 1f611 expressionless · 1f644 rolling_eyes ·
1f615 oh_no half_frown concerned confused · 1f641 frown slight_frown · 2639 sad big_frown ·
1f61e disappointed · 1f622 cry · 1f62d sob · 1f620 angry · 1f621 rage mad grumpy very_angry ·
1f62e open_mouth surprise · 1f632 astonished · 1f631 scream · 1f634 sleeping · 1f60e sunglasses ·
1f913 nerd geek · 1f917 hug arms_open · 1f937 shrug · 1f4a9 poop pile_of_poo · 1f47b ghost boo spooky haunted ·
1f480 skull · 1f916 robot · 1f44f clap applause · 1f44b wave hello hi · 1f64c raised_hands praise ·
1f64f pray welcome thank_you namaste · 1f44d +1 thumbs_up like · 1f44e -1 thumbs_down · 270a fist power ·
1f4aa muscle · 1f44c ok got_it · 1f446 point_up this · 1f449 point_right · 1f448 point_left ·
1f440 eyes looking · 2764 heart love love_you · 1f494 broken_heart heartache · 1f499 blue_heart ·
1f49a green_heart envy · 1f525 fire lit hot flame · 2b50 star · 2728 sparkles glamour · 26a1 high_voltage zap ·
1f4a5 boom explosion crash collision · 2600 sunny · 2601 cloud overcast · 1f308 rainbow pride lgbtq ·
2744 snowflake · 1f408 cat meow · 1f415 dog woof · 1f419 octopus · 1f984 unicorn · 1f41b bug caterpillar ·
1f422 turtle tortoise · 1f407 rabbit · 1f389 tada congratulations · 1f381 gift present ·
1f388 balloon celebration · 1f3c6 trophy winner · 1f680 rocket · 2708 airplane · 1f697 car · 1f6b2 bike bicycle ·
1f3e0 house · 23f3 time_ticking hourglass · 231a watch · 1f4c5 calendar · 1f557 time clock ·
26a0 warning caution danger · 2753 question · 2757 exclamation · 203c bangbang double_exclamation ·
2705 check all_good approved · 274c cross_mark incorrect wrong · 274e x · 267b recycle · 1f4af 100 hundred ·
1f4a1 light_bulb bulb idea · 1f511 key · 1f517 link · 1f4dd memo note · 1f4d6 book open_book · 270f pencil ·
1f4bb computer laptop · 260e phone telephone · 2709 email envelope mail · 2615 coffee · 1f37a beer ·
1f355 pizza · 1f370 cake · 1f34e apple · 1f951 avocado · 1f6e0 working_on_it hammer_and_wrench tools ·
1f528 hammer maintenance handyman handywoman · 1f527 fixing wrench · 2699 gear settings mechanical engineer ·
1f6d1 stop_sign octagonal_sign · 26d4 no_entry wrong_way · 1f3c1 checkered_flag race go start ·
0023-20e3 hash · 0030-20e3 zero · 0031-20e3 one · 0032-20e3 two · 0033-20e3 three`
