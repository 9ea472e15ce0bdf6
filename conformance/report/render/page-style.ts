/** The look of the HTML report. Colours keep a contrast of 4.5:1 at least, on light and on dark. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fff; --quiet: #55595f; --line: #c9ccd1; --panel: #f4f5f7; --good: #0a6b2d; --bad: #b00020; --warn: #7a4d00; --link: #0b4fb3 }
@media (prefers-color-scheme: dark) { :root { --ink: #e7e9ec; --paper: #15171a; --quiet: #b3b8bf; --line: #454a51; --panel: #1f2226; --good: #6fd08c; --bad: #ff8a9b; --warn: #f0b95a; --link: #8ab8ff } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1rem; max-width: 75rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); overflow-wrap: anywhere }
a { color: var(--link) }
.skip { position: absolute; left: -100vw } .skip:focus { left: 1rem }
h1 { margin: 0; font-size: 1.6rem } h2 { margin-top: 2rem; border-bottom: 1px solid var(--line) } h3 { margin: 1rem 0 .25rem } h4 { margin: .75rem 0 .25rem; font-size: 1rem }
.verdict { font-size: 1.1rem } .verdict strong { text-transform: uppercase }
.good strong { color: var(--good) } .bad strong { color: var(--bad) }
.facts { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0 } .facts div { display: flex; gap: .5rem } .facts dd { margin: 0 } dt { color: var(--quiet) } dd { margin: 0 0 .5rem }
nav ul, .legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: 0; list-style: none }
article { margin: 1rem 0; padding: .25rem 1rem 1rem; border: 1px solid var(--line); border-left: .3rem solid var(--bad); border-radius: .3rem }
.tag { padding: 0 .4rem; border: 1px solid currentColor; border-radius: .3rem; font-size: .8rem; text-transform: uppercase } .tag.bad { color: var(--bad) } .tag.known { color: var(--warn) }
.where { margin: 0; color: var(--quiet) }
blockquote { margin: .5rem 0; padding: 0 1rem; border-left: .2rem solid var(--line) } blockquote p { margin: 0 } blockquote footer { color: var(--quiet) }
pre { margin: .25rem 0; padding: .5rem; overflow: auto; max-height: 20rem; background: var(--panel); border-radius: .3rem } code { font-family: ui-monospace, monospace; font-size: .9em }
.scroll { position: relative; overflow: auto; max-height: 40rem } :focus-visible { outline: .15rem solid var(--link); outline-offset: .1rem }
table { border-collapse: collapse; font-size: .9rem } th, td { padding: .25rem .5rem; border: 1px solid var(--line); text-align: left; vertical-align: top } thead th { position: sticky; top: 0; background: var(--panel) } tbody th { font-weight: 500; background: var(--panel) } .matrix td { text-align: center } .matrix th { overflow-wrap: normal; white-space: nowrap } .matrix thead th + th { writing-mode: vertical-rl }
.passed { color: var(--good) } .violated, .flaky { color: var(--bad) } .known, .inconclusive { color: var(--warn) } .unusual td, .unusual th { font-weight: 600 }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
@media print { .scroll, pre { max-height: none } }
`
