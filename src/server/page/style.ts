// Style sheets of pages and pictures, light and dark. Every pair of the named colours is readable (WCAG 2.2 AA).

/** Text and background, and a colour for each of the first eight positions. */
export const PALETTE = {
  light: {
    ground: '#ffffff',
    raised: '#f4f5f7',
    text: '#1b1f24',
    soft: '#565d66',
    line: '#d3d7dc',
    link: '#0b5cad',
    mark: '#fff1a8',
    warning: '#a3261f',
    classes: [
      '#5b626a',
      '#0a638c',
      '#9c4207',
      '#2d6f1e',
      '#6f3d9c',
      '#a02569',
      '#0b6a63',
      '#7a5500',
      '#b01f2b',
    ],
  },
  dark: {
    ground: '#14171a',
    raised: '#1f2429',
    text: '#e8eaed',
    soft: '#a6adb5',
    line: '#3a4149',
    link: '#7cb9f7',
    mark: '#5a4a00',
    warning: '#ff9d94',
    classes: [
      '#a6adb5',
      '#6cc0ea',
      '#f0a070',
      '#8ecf7c',
      '#c8a5f0',
      '#f08fc2',
      '#5ecfc3',
      '#e0bb55',
      '#ff9a9a',
    ],
  },
};

type Colours = (typeof PALETTE)['light'];

const formatVariables = ({ classes, ...named }: Colours): string =>
  [...Object.entries(named), ...classes.map((value, at): [string, string] => [`c${at}`, value])]
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

const COLOURS = `:root{${formatVariables(PALETTE.light)}}
@media (prefers-color-scheme:dark){:root{${formatVariables(PALETTE.dark)}}}
`;
/** For a page with `data-theme`: the choice overrides the system's theme, but not in print. */
export const THEMES = `@media screen{:root[data-theme=light]{${formatVariables(PALETTE.light)}}:root[data-theme=dark]{${formatVariables(PALETTE.dark)}}}
`;
const PAPER = `@media print{:root{${formatVariables(PALETTE.light)}}}
`;
const CLASSES = PALETTE.light.classes.map((_, at) => `.c${at}{--own:var(--c${at})}`).join('');

/** Styles of the picture, within the element that contains it. */
const LANES = `${CLASSES}
svg text{font:13px system-ui,sans-serif;fill:var(--text);paint-order:stroke;stroke:var(--ground);stroke-width:4px;stroke-linejoin:round}
svg .small{font-size:12px;fill:var(--soft)}
svg .round{text-anchor:middle}
svg .before{text-anchor:end}
svg .lane{font-weight:600;fill:var(--own)}
svg .topic{font-size:16px;font-weight:600}
svg .ground{fill:var(--ground)}
svg .band{fill:var(--own);fill-opacity:.09}
svg .way{fill:none;stroke:var(--own);stroke-width:2}
svg .dashed{stroke-dasharray:7 5;stroke-width:2.5}
svg .dotted{stroke-dasharray:2 5}
svg .filled{fill:var(--own)}
svg .hollow{fill:var(--ground);stroke:var(--own);stroke-width:2}
svg .cross{fill:none;stroke:var(--own);stroke-width:1.6}
svg .bracket{fill:none;stroke:var(--text);stroke-width:1.2}
svg .join{font-weight:600}
`;

/** Returns the class of an item and of its filter box: the indexes of facet and value. */
export const toFacetClass = (facet: number, value: number): string => `f${facet}-${value}`;

/** Hides items whose box is unchecked, for two facets of eight values each. */
const FACET_RULES = [0, 1]
  .flatMap((facet) => Array.from({ length: 8 }, (_, value) => toFacetClass(facet, value)))
  .map((name) => `section:has(.by-${name}:not(:checked)) .${name}{display:none}`)
  .join('');

/** For the picture as a separate file. */
export const PICTURE_STYLE = `
${COLOURS}${LANES}`;

export const PAGE_STYLE = `
${COLOURS}${PAPER}${LANES}
*{box-sizing:border-box}
html{background:var(--ground);color:var(--text);font:16px/1.5 system-ui,sans-serif;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{max-width:84rem;margin:0 auto;padding:1rem 1.25rem 3rem;overflow-wrap:break-word}
h1{font-size:1.5rem;line-height:1.25;margin:.25rem 0}
h2{font-size:1.2rem;line-height:1.3;margin:2rem 0 .5rem}
h3{font-size:1.05rem;margin:1.25rem 0 .4rem}
h4,h5,h6{font-size:1rem;margin:1rem 0 .3rem}
p,ul,ol,dl,pre,blockquote{margin:.5rem 0}
ul,ol{padding-inline-start:1.4rem}
a{color:var(--link)}
a:focus-visible,summary:focus-visible,[tabindex]:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.beside,footer{color:var(--soft);font-size:.875rem}
.warning{color:var(--warning);font-weight:600}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.first{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:0 1.5rem}
.first>section{background:var(--raised);border-radius:.5rem;padding:.75rem 1rem;margin-top:.75rem}
.first>#decision,.first>section:nth-child(2):last-child{grid-row:span 2}
.first h2{margin-top:0}
.first .wide{background:none}
.first h3{margin-top:.75rem}
.first section:only-child{grid-column:1/-1}
#decision>p:first-of-type{font-size:1.1rem}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;padding:0;margin:1rem 0}
nav a,.points a{display:inline-block;min-height:24px;min-width:24px}
pre,code{font-family:ui-monospace,monospace;font-size:.9em}
pre{background:var(--raised);border-radius:.25rem;padding:.5rem .75rem;white-space:pre-wrap;overflow-wrap:anywhere}
.changes ins,.diff .added{color:var(--c3)}
.diff .removed{color:var(--warning)}
.changes del{color:var(--warning)}
.hl-keyword,.hl-built_in,.hl-literal,.hl-name,.hl-selector-tag{color:var(--c4)}
.hl-string,.hl-regexp,.hl-addition{color:var(--c3)}
.hl-number,.hl-symbol,.hl-attr,.hl-attribute,.hl-property{color:var(--c2)}
.hl-title,.hl-type,.hl-section{color:var(--c1)}
.hl-comment,.hl-meta,.hl-quote{color:var(--soft)}
.hl-deletion{color:var(--warning)}
.raw{white-space:pre-wrap;font-family:ui-monospace,monospace;font-size:.9em}
q:lang(fr){quotes:"\\ab\\a0" "\\a0\\bb"}
blockquote{border-inline-start:3px solid var(--line);padding-inline-start:.75rem;color:var(--soft)}
mark{background:var(--mark);color:var(--text)}
.quoted-by{font-size:.75em;vertical-align:super;margin-left:.15em}
.note{font-size:.9em}
hr{border:0;border-top:1px solid var(--line)}
table{border-collapse:collapse;font-size:.925rem}
caption{text-align:left;font-weight:600;padding:.25rem 0}
th,td{border:1px solid var(--line);padding:.25rem .5rem;text-align:start;vertical-align:top;font-variant-numeric:tabular-nums}
thead th{background:var(--raised)}
tbody th{font-weight:400}
.wide{position:relative;overflow-x:auto;margin:.75rem 0;background:linear-gradient(to left,var(--ground) 40%,transparent) 100% 0/2rem 100% no-repeat local,linear-gradient(to left,var(--soft),transparent) 100% 0/.75rem 100% no-repeat}
#timeline td:last-child{min-width:9rem}
.wide time,.wide td a,.wide th a{white-space:nowrap}
.picture{margin:.5rem 0;overflow-x:auto}
.picture svg{display:block;max-width:100%;min-width:40rem;height:auto}
.words,p,dl,ol,blockquote,.first ul{max-width:75ch}
.text .words{max-width:none}
.margin .picture svg{min-width:34rem}
.cards{list-style:none;padding:0;display:grid;grid-template-columns:minmax(0,1fr);gap:.5rem;overflow-wrap:anywhere}
.cards li{border:1px solid var(--line);border-inline-start:.3rem solid var(--own);border-radius:.25rem;padding:.4rem .75rem}
.cards p{margin:.15rem 0 0}
.cards .number,td .c0,td .c1,td .c2,td .c3,td .c4,td .c5,td .c6,td .c7,td .c8{color:var(--own);font-weight:600}
.thread{border-top:1px solid var(--line);padding:.25rem 0}
.claim{border-left:3px solid var(--line);padding-left:.75rem}
.challenge{margin:.75rem 0 .75rem 1.25rem;padding-left:.75rem;border-left:3px solid var(--c1)}
.challenge.open,.challenge.unanswered{border-left-color:var(--warning)}
.answer{margin-left:1.25rem;padding-left:.75rem;border-left:3px solid var(--c3)}
.said{border-top:1px solid var(--line);padding:.25rem 0}
.many .said{content-visibility:auto;contain-intrinsic-size:auto 20rem}
.words>:first-child{margin-top:.25rem}
.words h5,.words h6,.words h4,.words h3{margin:.75rem 0 .25rem}
summary{cursor:pointer;min-height:24px}
.facet{display:inline-block;border:1px solid var(--line);border-radius:.5rem;margin:.25rem .5rem .25rem 0;padding:.1rem .6rem .3rem}
.facet label{display:inline-block;min-height:24px;margin-inline-end:.9rem}
.item{border-top:1px solid var(--line);margin-top:.75rem}
@media screen{${FACET_RULES}}
:target{scroll-margin-top:1rem;outline:2px solid var(--link);outline-offset:4px}
@media (min-width:1100px){.split{display:grid;grid-template-columns:minmax(0,66ch) minmax(0,1fr);gap:0 2rem;align-items:start}.split>.text{grid-column:1;grid-row:1}.split>.margin{grid-column:2;grid-row:1;min-width:0}.margin>section:first-child h2,.text>section:first-child h2{margin-top:1rem}.said>.margin .thread:first-child{border-top:0}}
@media (max-width:60rem){.first{grid-template-columns:minmax(0,1fr)}}
@media (max-width:480px){#timeline td:last-child{min-width:12rem}.first table{table-layout:fixed;width:100%;font-size:.8rem}.first thead th:first-child{width:48%}.first :is(th,td){padding:.1rem .35rem}.first tbody :first-child{overflow:hidden;white-space:nowrap;text-overflow:ellipsis}#top .sat{display:none}body{padding:.75rem .75rem 2rem}.picture{display:none}h1{font-size:1.25rem}#decision>p:first-of-type{font-size:1rem}.first>section{padding:.4rem .75rem;margin-top:.5rem;font-size:.9rem}}
@media print{.facet{display:none}body{max-width:none;padding:0}.many .said{content-visibility:visible}nav{display:none}.first>section{border:1px solid var(--line)}.picture{overflow:visible}.picture svg{min-width:0}h2,h3,h4{break-after:avoid}.challenge,tr,.picture{break-inside:avoid}details::details-content{content-visibility:visible;display:block;height:auto}}
`;
