import { Html } from '../../platform/html.ts'

export const integrationStyles = new Html(`
.cards { list-style: none; padding: 0; display: grid; gap: .8rem; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)) }
.cards a { display: block; height: 100%; box-sizing: border-box; padding: .7rem .9rem; border: 1px solid var(--line); border-radius: .5rem }
.cards a:hover, .cards a:focus-visible { border-color: var(--link) } .cards b { display: block }
.cards span { color: var(--text); opacity: .8; font-size: 14px; line-height: 1.4; display: block }
input, button { font: inherit; color: inherit; background: var(--page); border: 1px solid var(--line); border-radius: .4rem; padding: .4rem .7rem }
button { background: var(--soft); cursor: pointer } .search { display: flex; gap: .5rem } .search input { flex: 1; max-width: 26rem; min-width: 0 }
.guide h1, .guide h2, .guide h3 { font-size: 17px; margin: 1.6rem 0 .4rem } .guide li { margin: .5rem 0 }
.guide > p:first-child { font-size: 17px } .url { font-family: ui-monospace, monospace; font-size: .9em; overflow-wrap: anywhere }
p > .url:only-child { display: block; background: var(--soft); border: 1px solid var(--line); border-radius: .4rem; padding: .3rem .5rem }
p code, li code { background: var(--soft); border-radius: .3rem; padding: .1em .3em; font-size: .9em } pre code { background: none; padding: 0 } pre .url { font-size: inherit }
.guide p code, .guide li code, .guide td { overflow-wrap: anywhere } .guide td:first-child { white-space: normal }
.fill { display: flex; flex-wrap: wrap; gap: 1rem } .fill[hidden] { display: none } .fill label { flex: 1 1 14rem; font-size: 14px }
.fill input { display: block; width: 100%; box-sizing: border-box; margin-top: .2rem }
.copy { display: flex; gap: .6rem; align-items: stretch } .copy code { flex: 1; min-width: 0; overflow-wrap: anywhere; padding: .6rem .8rem;
  border: 1px solid var(--line); border-radius: .4rem }
`)
