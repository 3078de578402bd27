// Texts that try to get out of a page: each class of payload once or more, as somebody's words.
import type { Archive } from '../../src/core/archive/archive.ts';
import { participant, rulesOf } from '../core/council/fixtures.ts';
import { archived, playedRounds } from './page-sample.ts';
import type { Round } from './page-sample.ts';

export const HOSTILE = [
  // HTML
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  '</title><script>alert(1)</script>',
  '</style><script>alert(1)</script>',
  "' autofocus onfocus=alert(1) x='",
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<form action=https://evil.example/><button>go</button></form>',
  '<math><mtext></p><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<base href="https://evil.example/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
  '<details open ontoggle=alert(1)>x</details>',
  '<!-- --><b>x</b><!--><img src=x>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  // URLs
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a](java\tscript:alert(1))',
  '[a](&#106;avascript:alert(1))',
  '[a](data:text/html,<script>alert(1)</script>)',
  '[a](vbscript:x) [b](file:///etc/passwd) [c](//evil.example/x) [d](../../x) [e](#decision)',
  '[https://good.example](https://evil.example/path)',
  '[x](https://good.example@evil.example/)',
  '![x](https://evil.example/pixel.png)',
  '![x][r]\n\n[r]: https://evil.example/pixel.png "seen"',
  '<https://evil.example/"onmouseover="alert(1)>',
  '[x](https://еvil.example/)',
  // SVG and CSS
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<svg><use href="data:image/svg+xml,x"/><foreignObject><p>x</p></foreignObject></svg>',
  '</text></svg><script>alert(1)</script>',
  ']]><script>alert(1)</script>',
  '<style>@import url(https://evil.example/x.css);</style>',
  '<p style="background:url(https://evil.example/x)">x</p>',
  'x{background:url(https://evil.example/x)}',
  // Markdown
  '`<img src=x onerror=alert(1)>`',
  '```html\n<script>alert(1)</script>\n```',
  '```mermaid\ngraph TD; A["<img src=x onerror=alert(1)>"]\n```',
  '$$\\href{javascript:alert(1)}{x}$$',
  '[^1]\n\n[^1]: <script>alert(1)</script>',
  '[^"><img src=x>]\n\n[^"><img src=x>]: note',
  '| <script>alert(1)</script> | b |\n| --- | --- |\n| ![x](https://evil.example/p) | d |',
  '# <img src=x onerror=alert(1)>\n\n###### deep\n\n# up',
  '- [ ] <input autofocus onfocus=alert(1)>\n- [x] done',
  '\u202Etxt.exe\u202C \u200B\u2066x\u2069 \u{E0041}\u{E0042}',
  '${alert(1)} {{constructor.constructor("alert(1)")()}} <%= 7*7 %>',
];

/** An archive in which everything is called like this: topic, titles, positions, contributions, reasons, paths. */
export function archiveCalled(text: string): Archive {
  const rounds: Round[] = [
    [
      'COLLECT',
      {
        ana: { text, position: text, blocking: [text] },
        ben: { text: `${text}\n\nSome other words here.`, position: 'other' },
      },
    ],
    ['CHALLENGE', { ana: { text: `@ben.1 ${text}` }, ben: { text: `> ${text}\n\nNo.`, position: text } }],
  ];
  const council = playedRounds({ ana: text, ben: 'Ben' }, rounds, {
    topic: text,
    mode: text,
    coordinator: 'maman',
    synthesizer: participant({ title: text, emoji: text }),
    rules: rulesOf({ options: [text, 'other'], recused: [{ participant: 'ben', why: text }] }),
  });
  const archive = archived({ ...council, brief: text }, text);
  return {
    ...archive,
    late: [{ name: text, bytes: 3, sha256: text, path: text }],
    meta: { ...archive.meta, why: text, id: text, path: text },
  };
}

/** One archive with every hostile text as a contribution, and many of them as everything else. */
export function hostileArchive(): Archive {
  const archive = archiveCalled(HOSTILE.slice(0, 12).join(' '));
  const [one] = archive.contributions;
  const contributions = HOSTILE.map((text, at) => ({
    ...one!,
    tour: 1 + Math.floor(at / 2),
    by: at % 2 === 0 ? 'ana' : 'ben',
    text,
  }));
  return { ...archive, contributions };
}
