import { Html } from '../platform/html.ts'

/** Light or dark colours, as the reader prefers. */
export const styles = new Html(`
:root { color-scheme: light dark; --line: light-dark(#dde3e6, #333d42); --soft: light-dark(#f4f7f8, #1d2427);
  --text: light-dark(#1c2529, #dfe6e9); --page: light-dark(#fff, #14191b); --link: light-dark(#0b6b8a, #6cc4df) }
body { margin: 0; display: grid; grid-template-columns: 19rem minmax(0, 1fr); font: 16px/1.55 system-ui, sans-serif;
  color: var(--text); background: var(--page) }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.2rem; box-sizing: border-box;
  background: var(--soft); border-right: 1px solid var(--line); font-size: 13px }
nav h1 { font-size: 20px; margin: 0 } nav h3 { margin: 1.2rem 0 .3rem } nav ul { list-style: none; margin: 0; padding: 0 }
nav li { white-space: nowrap; overflow: hidden; text-overflow: ellipsis } a { color: var(--link); text-decoration: none }
main { padding: 1.5rem 2.5rem 6rem; max-width: 56rem } section { padding-bottom: 1.5rem; border-bottom: 1px solid var(--line) }
h4 { font-size: 17px; margin: 2rem 0 .3rem } h5 { margin: 1rem 0 .2rem; font-size: 13px; opacity: .75 }
b.GET, b.POST, b.PATCH, b.PUT, b.DELETE { font-size: .75em; padding: .1em .45em; border-radius: .3em; color: #fff;
  background: #2e7d5b } b.POST { background: #1f6fb2 } b.PATCH, b.PUT { background: #9a6a00 } b.DELETE { background: #b23b3b }
table { border-collapse: collapse; width: 100%; font-size: 14px } td { border-top: 1px solid var(--line);
  padding: .3rem .6rem .3rem 0; vertical-align: top } td:first-child { white-space: nowrap }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: .4rem; padding: .7rem 1rem; overflow: auto; font-size: 13px }
code, pre { font-family: ui-monospace, monospace } .callers { font-size: 14px; opacity: .8; margin: .2rem 0 }
.form { display: grid; grid-template-columns: 1fr 1fr; gap: 1.5rem; place-items: start } .form > div { width: 100% }
.form img { border: 1px solid var(--line); border-radius: .4rem; max-width: 100% } .cases { table-layout: fixed } .cases td:first-child { white-space: normal }
.cases pre { margin: 0; padding: .3rem .5rem; white-space: pre-wrap; overflow-wrap: anywhere } th { text-align: left; font-size: 13px; opacity: .75 }
summary { cursor: pointer; margin-top: 1rem; font-size: 14px }
@media (max-width: 50rem) { body { display: block } nav { position: static; height: auto } main { padding: 1rem } }
`)
