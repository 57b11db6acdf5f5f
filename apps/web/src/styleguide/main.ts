import { h, render } from 'preact'
import { loadLaterTexts } from '../text/t.ts'
import { Styleguide } from './Styleguide.tsx'

const root = document.getElementById('app')
if (root) void loadLaterTexts().then(() => render(h(Styleguide, {}), root))
