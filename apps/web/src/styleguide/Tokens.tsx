import { Icon } from '../ui/Icon.tsx'
import { iconNames } from '../ui/icon-names.generated.ts'

const backgrounds = [
  'bg',
  'sunken',
  'surface',
  'raised',
  'hover',
  'selected',
  'accent-soft',
  'about-you-soft',
  'code',
]
const texts = ['text', 'text-2', 'text-3', 'accent']
const signals = ['accent', 'about-you', 'danger', 'warning', 'success']
const softColours = ['danger', 'warning', 'success']
const types = ['xs', 's', 'm', 'body', 'l', 'xl', 'code']
const spaces = [2, 4, 8, 12, 16, 24, 32, 48]

/** Pairs of colours whose contrast is not guaranteed. */
const lowContrastPairs = new Set([
  'text-3 selected',
  'text-3 accent-soft',
  'text-3 about-you-soft',
  'text-3 code',
  'accent code',
])

export function Tokens() {
  return (
    <>
      <section>
        <h2>Colours</h2>
        <div class="Styleguide-grid">
          {backgrounds.map((background) => (
            <div key={background} class="Styleguide-swatch" style={{ background: `var(--${background})` }}>
              <b>{background}</b>
              {texts
                .filter((text) => !lowContrastPairs.has(`${text} ${background}`))
                .map((text) => (
                  <span key={text} style={{ color: `var(--${text})` }}>
                    {text}
                  </span>
                ))}
            </div>
          ))}
          {softColours.map((name) => (
            <div key={name} class="Styleguide-swatch" style={{ background: `var(--${name}-soft)` }}>
              <b>{name}-soft</b>
              <span style={{ color: `var(--${name})` }}>{name}</span>
            </div>
          ))}
          <div class="Styleguide-swatch" style={{ background: 'var(--highlight)' }}>
            <b>highlight</b>
          </div>
        </div>
        <p class="Styleguide-row">
          {signals.map((name) => (
            <b key={name} style={{ color: `var(--${name})` }}>
              {name}
            </b>
          ))}
        </p>
      </section>
      <section>
        <h2>Type and space</h2>
        {types.map((type) => (
          <p key={type} style={{ font: `var(--t-${type})` }}>
            --t-{type}: The roses on the south wall flower in June.
          </p>
        ))}
        <p class="Styleguide-row">
          {spaces.map((space) => (
            <span key={space} class="Styleguide-space" style={{ inlineSize: `var(--space-${space})` }}>
              <span class="Spoken">{space}</span>
            </span>
          ))}
        </p>
      </section>
      <section>
        <h2>Icons</h2>
        <ul class="Styleguide-icons">
          {iconNames.map((name) => (
            <li key={name}>
              <Icon name={name} />
              {name}
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}
