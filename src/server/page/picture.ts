// The picture of the lanes: in a page, and as a file of its own.
import { forTerminal } from '../../core/base/terminal.ts';
import { oneLine } from '../../core/base/text.ts';
import { fill, loadPageWords } from '../../core/base/words/words.ts';
import type { Language, Words } from '../../core/base/words/words.ts';
import { html, ownStyle } from './html.ts';
import type { Html } from './html.ts';
import { describeLanes, drawLanes } from './lanes/draw.ts';
import type { Lanes } from './lanes/lanes.ts';
import { PICTURE_STYLE } from './style.ts';

/** The picture in a page, whose style sheet has its classes. */
export function renderLanesFigure(lanes: Lanes, topic: string, w: Words): Html {
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

/** The picture alone, with the topic above it: a file that needs nothing else. */
export function pictureFile(lanes: Lanes, { topic, lang }: { topic: string; lang: Language }): string {
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
    ${renderPictureTitle(lanes, topic, w)} ${ownStyle(PICTURE_STYLE)}
    <rect width="${width}" height="${height}" class="ground" />
    <text x="12" y="24" class="topic">${oneLine(topic, Math.floor(width / 9))}</text>
    ${content}
  </svg> `;
  // No XML has these two, whatever they are written as.
  return forTerminal(file.toString()).replace(/[\uFFFE\uFFFF]/g, '');
}

const renderPictureTitle = (lanes: Lanes, topic: string, w: Words): Html =>
  html`<title id="picture-title">${fill(w.page.pictureOf, { topic: oneLine(topic) })}</title
    ><desc id="picture-desc">${describeLanes(lanes, w)}</desc> `;
