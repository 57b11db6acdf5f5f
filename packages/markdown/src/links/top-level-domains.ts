const generic =
  'aero arpa asia biz cat com coop edu gov info int jobs mil mobi museum name net org post pro tel travel xxx'

// `py` and `md` are left out, because in chats they are nearly always file names.
const countries =
  'ac ad ae af ag ai al am an ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bv bw by ' +
  'bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk ' +
  'fm fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir ' +
  'is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc me mg mh mk ml mm ' +
  'mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ' +
  'ps pt pw qa re ro rs ru rw sa sb sc sd se sg sh si sj sk sl sm sn so sr st su sv sx sy sz tc td tf tg th tj ' +
  'tk tl tm tn to tp tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw'

const internationalized =
  'xn--3e0b707e xn--45brj9c xn--54b7fta0cc xn--90a3ac xn--clchc0ea0b2g2a9gcd xn--fiqs8s xn--fiqz9s ' +
  'xn--fpcrj9c3d xn--fzc2c9e2c xn--gecrj9c xn--h2brj9c xn--j1amh xn--j6w193g xn--kprw13d xn--kpry57d ' +
  'xn--lgbbat1ad8j xn--mgb9awbf xn--mgbaam7a8h xn--mgbayh7gpa xn--mgbbh1a71e xn--mgbc0a9azcg xn--mgberp4a5d4ar ' +
  'xn--mgbx4cd0ab xn--o3cw4h xn--ogbpf8fl xn--p1ai xn--pgbs0dh xn--s9brj9c xn--wgbh1c xn--wgbl6a ' +
  'xn--xkc2al3hye2a xn--xkc2dl3a5ee0h xn--yfro4i67o xn--ygbi2ammx xn--mgbai9azgqp6j xn--80ao21a'

const topLevelDomains = new Set(`${generic} ${countries} ${internationalized}`.split(' '))

/** Accepts lower case only, because `EXAMPLE.COM` is rarely meant as a link. */
export function isTopLevelDomain(label: string): boolean {
  return topLevelDomains.has(label)
}
