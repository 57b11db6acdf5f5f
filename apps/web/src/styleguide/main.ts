import { h, render } from 'preact'
import { Styleguide } from './Styleguide.tsx'

const root = document.getElementById('app')
if (root) render(h(Styleguide, {}), root)
