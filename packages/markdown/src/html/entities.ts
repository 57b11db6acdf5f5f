const namedEntities = parseNames(
  'amp:& lt:< gt:> quot:" apos:\' nbsp:\u00a0 copy:© reg:® trade:™ hellip:… mdash:— ndash:– lsquo:‘ rsquo:’ ' +
    'ldquo:“ rdquo:” laquo:« raquo:» bull:• middot:· times:× divide:÷ plusmn:± deg:° micro:µ para:¶ sect:§ ' +
    'euro:€ pound:£ yen:¥ cent:¢ larr:← rarr:→ uarr:↑ darr:↓ harr:↔ frac12:½ frac14:¼ frac34:¾ infin:∞ ne:≠ ' +
    'le:≤ ge:≥ asymp:≈ equiv:≡ sum:∑ prod:∏ radic:√ int:∫ part:∂ alpha:α beta:β gamma:γ delta:δ epsilon:ε ' +
    'lambda:λ mu:μ pi:π sigma:σ tau:τ phi:φ omega:ω Delta:Δ Sigma:Σ Omega:Ω hearts:♥ check:✓ auml:ä ouml:ö ' +
    'uuml:ü Auml:Ä Ouml:Ö Uuml:Ü szlig:ß aring:å Aring:Å aelig:æ AElig:Æ oslash:ø Oslash:Ø eacute:é egrave:è ' +
    'agrave:à aacute:á ccedil:ç ntilde:ñ iacute:í oacute:ó uacute:ú lbrace:{ rbrace:} lsqb:[ rsqb:] lpar:( ' +
    'rpar:) colon:: sol:/ num:# commat:@ ast:* grave:` vert:| dollar:$ percnt:% excl:! quest:? comma:, period:.',
)

function parseNames(list: string): Map<string, string> {
  return new Map(
    list.split(' ').map((entry): [string, string] => {
      const colon = entry.indexOf(':')
      return [entry.slice(0, colon), entry.slice(colon + 1)]
    }),
  )
}

const entity = /&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|([A-Za-z0-9]+));/g

/** Decodes the common named entities and all numeric ones; other names stay as they are. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(entity, (source, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return namedEntities.get(name) ?? source
    const point = decimal !== undefined ? Number(decimal) : Number.parseInt(hex ?? '', 16)
    return isCharacter(point) ? String.fromCodePoint(point) : '\u{fffd}'
  })
}

function isCharacter(point: number): boolean {
  return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)
}
