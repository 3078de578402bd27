// Renders the picture of the lanes, in a page or as a separate file.
import { cleanForTerminal } from '../../core/base/terminal.ts';
import { toOneLine } from '../../core/base/text.ts';
import { fill } from '../../core/base/words/words.ts';
import type { Language } from '../../core/base/words/words.ts';
import { html, renderStyle } from './html.ts';
import type { Html } from './html.ts';
import { describeLanes, drawLanes } from './lanes/draw.ts';
import type { Lanes } from './lanes/lanes.ts';
import { PICTURE_STYLE } from './style.ts';
import { loadPageWords } from './words.ts';
import type { PageWords } from './words.ts';

/** Renders the picture in a page, whose style sheet contains its classes. */
export function renderLanesFigure(lanes: Lanes, topic: string, w: PageWords): Html {
  const { width, height, content } = drawLanes(lanes, w);
  return html`<figure class="picture" tabindex="0" role="group" aria-label="${w.page.positions}">
    <svg
      viewBox="0 0 ${width} ${height}"
      width="${width}"
      height="${height}"
      role="img"
      aria-labelledby="picture-title picture-desc"
    >
      ${renderPictureTitle(lanes, topic, w)}${content}
    </svg>
  </figure> `;
}

/** Renders the picture with its topic as a self-contained file. */
export function renderPictureFile(lanes: Lanes, { topic, lang }: { topic: string; lang: Language }): string {
  const w = loadPageWords(lang);
  const { width, height, content } = drawLanes(lanes, w, 34);
  const file = html`<svg
    xmlns="http://www.w3.org/2000/svg"
    viewBox="0 0 ${width} ${height}"
    width="${width}"
    height="${height}"
    role="img"
    lang="${lang}"
    aria-labelledby="picture-title picture-desc"
  >
    ${renderPictureTitle(lanes, topic, w)} ${renderStyle(PICTURE_STYLE)}
    <rect width="${width}" height="${height}" class="ground" />
    <text x="12" y="24" class="topic">${toOneLine(topic, Math.floor(width / 9))}</text>
    ${content}
  </svg> `;
  // XML forbids these two characters in any form.
  return cleanForTerminal(file.toString()).replace(/[\uFFFE\uFFFF]/g, '');
}

const renderPictureTitle = (lanes: Lanes, topic: string, w: PageWords): Html =>
  html`<title id="picture-title">${fill(w.page.pictureOf, { topic: toOneLine(topic) })}</title
    ><desc id="picture-desc">${describeLanes(lanes, w)}</desc> `;
